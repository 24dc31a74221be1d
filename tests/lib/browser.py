"""A headless Chromium (Debian's) driven through its debugging pipe: commands of the DevTools protocol as JSON, each ended by a zero byte. No library, no port."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from lib.wait import PATIENCE


class Browser:
    def __init__(self, width=1200, height=900, dark=False):
        self.folder = tempfile.mkdtemp(prefix="ek-browser-")
        to_browser, self.write = os.pipe()
        self.read, from_browser = os.pipe()

        def pipes():  # Chromium reads from descriptor 3 and writes to 4
            os.dup2(to_browser, 3)
            os.dup2(from_browser, 4)

        command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "--no-first-run",
                   "--ignore-certificate-errors", "--disable-dev-shm-usage", f"--window-size={width},{height}", "about:blank"]
        self.log = open(f"{self.folder}/log", "wb")
        self.process = subprocess.Popen(command, preexec_fn=pipes, pass_fds=(3, 4), stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        os.close(to_browser), os.close(from_browser)
        self.number, self.rest, self.told = 0, b"", []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.send(domain + ".enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    session = None

    def send(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params, **({"sessionId": self.session} if self.session else {})}
        os.write(self.write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            while b"\0" in self.rest:
                one, self.rest = self.rest.split(b"\0", 1)
                got = json.loads(one)
                if got.get("id") == self.number:
                    assert "error" not in got, (method, got)
                    return got["result"]
                self.told.append(got)
            assert time.monotonic() < deadline and self.process.poll() is None, f"no answer to {method}"
            if select.select([self.read], [], [], 1)[0]:
                self.rest += os.read(self.read, 1 << 20)

    def open(self, url):
        self.send("Page.navigate", url=url)

    def reload(self):
        """Loads the page again; what waits is told when it is there (a script that runs meanwhile would be thrown away)."""
        loaded = lambda: [t for t in self.told if t.get("method") == "Page.loadEventFired"]  # noqa: E731
        before, deadline = len(loaded()), time.monotonic() + PATIENCE
        self.send("Page.reload")
        while len(loaded()) == before:
            assert time.monotonic() < deadline, "the page does not load again"
            if select.select([self.read], [], [], 1)[0]:
                self.rest += os.read(self.read, 1 << 20)
            *whole, self.rest = self.rest.split(b"\0")
            self.told += map(json.loads, whole)

    def run(self, script):
        """The value of a script (promises are waited for)."""
        r = self.send("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in r, r["exceptionDetails"]
        return r["result"].get("value")

    def wait(self, script):
        deadline = time.monotonic() + PATIENCE
        while not (value := self.run(script)):
            assert time.monotonic() < deadline, f"never true: {script}"
            time.sleep(0.05)
        return value

    def picture(self, path):
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.send("Page.captureScreenshot", captureBeyondViewport=True)["data"]))

    def complaints(self):
        """Errors that the page or the browser has told: exceptions, and what the Content-Security-Policy refused."""
        self.run("0")
        of = {"Runtime.exceptionThrown": lambda p: p["exceptionDetails"]["text"], "Log.entryAdded": lambda p: p["entry"]["text"]}
        found = [of[t["method"]](t["params"]) for t in self.told if t.get("method") in of]
        return [f for f in found if "401" not in f]

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.write), os.close(self.read)
        self.log.close()
        shutil.rmtree(self.folder, ignore_errors=True)
