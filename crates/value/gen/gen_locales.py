#!/usr/bin/env python3
"""Generates ../src/temporal/locales.txt by asking a MariaDB server, which shares MySQL's locales.

usage: .venv/bin/python crates/value/gen/gen_locales.py

One line per locale (manual, "MySQL Server Locale Support"), fields separated by |: name; 12 months; 12 short months; 7 days from Monday; 7 short days;
decimal point; separator of thousands; digits of the last group and of those before it, as FORMAT() groups them.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests"))
from lib.servers import MariaDB  # noqa: E402

NAMES = """ar_AE ar_BH ar_DZ ar_EG ar_IN ar_IQ ar_JO ar_KW ar_LB ar_LY ar_MA ar_OM ar_QA ar_SA ar_SD ar_SY ar_TN ar_YE be_BY bg_BG ca_ES cs_CZ
da_DK de_AT de_BE de_CH de_DE de_LU el_GR en_AU en_CA en_GB en_IN en_NZ en_PH en_US en_ZA en_ZW es_AR es_BO es_CL es_CO es_CR es_DO es_EC es_ES
es_GT es_HN es_MX es_NI es_PA es_PE es_PR es_PY es_SV es_US es_UY es_VE et_EE eu_ES fi_FI fo_FO fr_BE fr_CA fr_CH fr_FR fr_LU gl_ES gu_IN he_IL
hi_IN hr_HR hu_HU id_ID is_IS it_CH it_IT ja_JP ko_KR lt_LT lv_LV mk_MK mn_MN ms_MY nb_NO nl_BE nl_NL no_NO pl_PL pt_BR pt_PT rm_CH ro_RO ru_RU
ru_UA sk_SK sl_SI sq_AL sr_RS sv_FI sv_SE ta_IN te_IN th_TH tr_TR uk_UA ur_PK vi_VN zh_CN zh_HK zh_TW""".split()


def main():
    server = MariaDB()
    server.start()
    try:
        cur = server.connect(charset="utf8mb4").cursor()
        lines = []
        for name in NAMES:
            cur.execute("set lc_time_names=%s", (name,))
            parts = [f"date_format('2001-{m:02d}-01', '{f}')" for f in ("%M", "%b") for m in range(1, 13)]
            parts += [f"date_format('2001-01-{d:02d}', '{f}')" for f in ("%W", "%a") for d in range(1, 8)]
            cur.execute("select " + ", ".join(p.replace("%", "%%") if False else p for p in parts) + f", format(12345678901234.5, 1, '{name}')")
            row = list(cur.fetchone())
            number = row.pop()
            point = re.fullmatch(r"(.*4)(\D*)5", number)
            groups = re.findall(r"\d+", point[1])
            seps = set(re.findall(r"\D+", point[1]))
            assert len(seps) <= 1, (name, number)
            last, before = (len(groups[-1]), len(groups[-2])) if seps else (0, 0)
            fields = [name, *row, point[2], seps.pop() if seps else "", str(last), str(before)]
            assert not any("|" in f or "\n" in f for f in fields)
            lines.append("|".join(fields))
        (ROOT / "crates/value/src/temporal/locales.txt").write_text("\n".join(lines) + "\n")
        print(len(lines))
    finally:
        server.kill()


main()
