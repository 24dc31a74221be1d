-- REGEXP and lines: what `$`, `^` and `.` mean beside line terminators, and flags set inside of groups.
--! ours MariaDB has another library
SELECT REGEXP_LIKE('a\n','a$') a, REGEXP_LIKE('b\na\n','a$') b, REGEXP_LIKE('a\r\n','a$') c, REGEXP_LIKE('a\n\n','a$') d, REGEXP_LIKE('a\nb','a$') e, REGEXP_LIKE('a','a$') f, REGEXP_LIKE('a\n','a\\z') g, REGEXP_LIKE('a\n','a\\Z') h;
SELECT REGEXP_LIKE('a\nb\n','(?m)b\\s^') a, REGEXP_LIKE('a\nb','(?m)^b') b, REGEXP_LIKE('a\nb\n','^b','m') c, REGEXP_LIKE('a\rb','^b','m') d, REGEXP_LIKE('a\rb','a$','m') e, REGEXP_LIKE('','^$','m') f, REGEXP_LIKE('\n','^$','m') g;
SELECT REGEXP_LIKE('a\rb','a.b') a, REGEXP_LIKE('a\nb','a.b') b, REGEXP_LIKE('a\rb','a.b','n') c, REGEXP_LIKE('a b\r','a.b') d, REGEXP_LIKE(CONCAT('a',_ucs2 0x2028,'b'),'a.b') e, REGEXP_LIKE('a\r.b','a[^x]\\.b') f, REGEXP_LIKE('a\r$','[$]$') g;
SELECT REGEXP_LIKE('aB','(?i)((?-i)a)b') a, REGEXP_LIKE('AB','(?i)((?-i)a)b') b, REGEXP_LIKE('aB','((?i)a)b','c') c, REGEXP_LIKE('Ab','((?i)a)b','c') d, REGEXP_LIKE('C','(a(?i)b|c)','c') e, REGEXP_LIKE('aB','(a(?i)b|c)','c') f, REGEXP_LIKE('AB','(a(?i)b|c)','c') g;
SELECT REGEXP_LIKE('a\nb\nc\n','((?s).)c(?!.)') a, REGEXP_LIKE('a\nb\nc\n','((?s)b.)c(?!.)') b, REGEXP_LIKE('a\nb','(?s:a.)b') c, REGEXP_LIKE('a\nb\n','(?s:a).b') d;
SELECT REGEXP_REPLACE('one\ntwo\n','o$','X') a, REGEXP_REPLACE('one\r\ntwo\r\n','.$','X',1,0,'m') b, REGEXP_INSTR('ab\n','b$') c, REGEXP_SUBSTR('ab\rcd\n','.+') d, REGEXP_SUBSTR('ab\rcd\n','.+',1,2) e;
SELECT REGEXP_LIKE('x\n','(x|y(?i)z)$') a, REGEXP_LIKE('Z\n','(x|(?i)z)$','c') b, REGEXP_LIKE('a.b$\n','a\\.b\\$$') c, REGEXP_LIKE('a.b\n','\\Qa.b\\E$') d, REGEXP_LIKE('a]b\n','a[\\]]b$') e, REGEXP_LIKE('a b\n','(?x) a \\s b $ # end') f;
--! end
