-- GET_LOCK and its kin: which names a lock may have
--! ours MariaDB's lock names are bytes
-- names of locks are text of at most 64 characters, whatever the character set of the argument
SELECT GET_LOCK(_latin1 0xe4, 0) a, IS_USED_LOCK('ä') = CONNECTION_ID() b, IS_USED_LOCK('Ä') = CONNECTION_ID() c, IS_USED_LOCK(_latin1 0xe5) d, IS_FREE_LOCK(_utf16 0x00e4) e;
SELECT RELEASE_ALL_LOCKS();
SELECT GET_LOCK(0xff, 0);
SELECT IS_FREE_LOCK(0x2ADA5C38);
SELECT IS_USED_LOCK('');
SELECT RELEASE_LOCK(NULL);
SELECT IS_FREE_LOCK(REPEAT('ä', 64));
SELECT IS_FREE_LOCK(REPEAT('ä', 65));
SELECT GET_LOCK('a', NULL), RELEASE_LOCK('A');
--! end
