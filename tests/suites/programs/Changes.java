// Debezium's embedded engine on the MySQL server at a port: prints each record as a line of JSON until a row of
// `inventory.marks` with the number that it was told has come. Arguments: port, folder for offsets and history, number.
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import java.nio.charset.StandardCharsets;
import java.io.PrintStream;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

public class Changes {
    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Properties p = new Properties();
        p.setProperty("name", "engine");
        p.setProperty("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
        p.setProperty("offset.storage.file.filename", args[1] + "/offsets");
        p.setProperty("offset.flush.interval.ms", "0");
        p.setProperty("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory");
        p.setProperty("schema.history.internal.file.filename", args[1] + "/history");
        p.setProperty("database.hostname", "127.0.0.1");
        p.setProperty("database.port", args[0]);
        p.setProperty("database.user", "dbz");
        p.setProperty("database.password", "dbz");
        p.setProperty("database.server.id", "85744");
        p.setProperty("topic.prefix", "t");
        p.setProperty("database.include.list", "inventory");
        p.setProperty("include.query", "true");
        p.setProperty("key.converter.schemas.enable", "false");
        p.setProperty("value.converter.schemas.enable", "false");
        p.setProperty("bigint.unsigned.handling.mode", "precise");
        String mark = "\"after\":{\"id\":" + args[2] + ",\"mark\":";
        CountDownLatch done = new CountDownLatch(1);
        DebeziumEngine<ChangeEvent<String, String>> engine = DebeziumEngine.create(Json.class).using(p).notifying(e -> {
            if (e.value() != null) {
                out.println(e.value());
                if (e.value().contains(mark)) {
                    done.countDown();
                }
            }
        }).using((success, message, error) -> {
            if (!success) {
                System.err.println("ended: " + message + " " + error);
            }
            done.countDown();
        }).build();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        threads.execute(engine);
        boolean came = done.await(300, TimeUnit.SECONDS);
        if (came) {
            try {
                engine.close();
            } catch (IllegalStateException ended) {
                came = false;
            }
        }
        threads.shutdown();
        threads.awaitTermination(60, TimeUnit.SECONDS);
        System.exit(came ? 0 : 1);
    }
}
