#!/usr/bin/env python3
"""Asks a running MariaDB for WEIGHT_STRING of every code point under its table-driven collations.

usage: dump_mariadb.py SOCKET        writes one <collation>.tsv (code point, hex weights) each into the current folder.
The dumps are measurements, not source text; gen_collations.py turns them into the tables that are committed.
"""
import subprocess,sys
S=sys.argv[1]
def q(sql):
    return subprocess.run(['mariadb','--no-defaults','-uroot','-S',S,'-N','-B','mysql','--default-character-set=utf8mb4'],input=sql.encode(),stdout=subprocess.PIPE,check=True).stdout.decode()
def dump_uni(coll,cs,top):
    out=[]
    sql=["select seq, hex(weight_string(convert(char(seq using utf32) using %s) collate %s)) from seq_0_to_%d where seq not between 55296 and 57343;"%(cs,coll,top)]
    r=q('\n'.join(sql))
    open(coll+'.tsv','w').write(r); print(coll,len(r.splitlines()))
dump_uni('utf8mb4_general_ci','utf8mb4',0x10FFFF)
dump_uni('utf8mb4_unicode_ci','utf8mb4',0x10FFFF)
dump_uni('utf8mb4_unicode_520_ci','utf8mb4',0x10FFFF)
for c in ['latin1_swedish_ci','latin1_general_ci','latin1_general_cs','latin1_german1_ci','latin1_danish_ci','latin1_spanish_ci','ascii_general_ci']:
    cs=c.split('_')[0]
    r=q("select seq, hex(weight_string(convert(unhex(lpad(hex(seq),2,'0')) using %s) collate %s)) from seq_0_to_255"%(cs,c))
    open(c+'.tsv','w').write(r); print(c,len(r.splitlines()))
