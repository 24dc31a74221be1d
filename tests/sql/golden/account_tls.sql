-- REQUIRE: what SHOW CREATE USER and mysql.user show of it. That connections heed it is in tests/clients/test_tls_accounts.py.
create user tls_b require subject '/CN=x';
--! ours MariaDB shows accounts otherwise
show create user tls_b;
alter user tls_b require issuer '/CN=y';
show create user tls_b;
select ssl_type, ssl_cipher, x509_issuer, x509_subject from mysql.user where user='tls_b';
alter user tls_b require cipher 'TLS_AES_256_GCM_SHA384' and issuer '/O=a' subject 'z';
show create user tls_b;
select ssl_type, ssl_cipher, x509_issuer, x509_subject from mysql.user where user='tls_b';
alter user tls_b account lock;
show create user tls_b;
alter user tls_b require x509;
show create user tls_b;
select ssl_type, ssl_cipher, x509_issuer, x509_subject from mysql.user where user='tls_b';
rename user tls_b to tls_c;
alter user tls_c require ssl;
select ssl_type, ssl_cipher, x509_issuer, x509_subject from mysql.user where user='tls_c';
alter user tls_c require none;
show create user tls_c;
--! end
create user tls_d require ssl and x509;
drop user tls_c;
