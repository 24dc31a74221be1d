-- AES_ENCRYPT and AES_DECRYPT in the modes that are streams
--! ours MariaDB has none of these modes
SET block_encryption_mode='aes-128-cfb1';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-192-cfb1';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-256-cfb1';
SELECT HEX(AES_ENCRYPT(REPEAT('ab', 30), 'key', '0123456789abcdefgh'));
SET block_encryption_mode='aes-128-cfb8';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-192-cfb8';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SET block_encryption_mode='aes-256-cfb8';
SELECT HEX(AES_ENCRYPT(REPEAT('ab', 30), 'key', '0123456789abcdef'));
SET block_encryption_mode='aes-128-cfb128';
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-192-cfb128';
SELECT HEX(AES_ENCRYPT('sixteen bytes...', 'key', '0123456789abcdef'));
SET block_encryption_mode='aes-256-cfb128';
SELECT HEX(AES_ENCRYPT(REPEAT('ab', 30), 'key', '0123456789abcdef'));
SELECT HEX(AES_ENCRYPT('some text', 'key', '0123456789abcdef', 'hkdf', 'salt', 'info'));
SELECT HEX(AES_ENCRYPT('some text', 'key', '0123456789abcdef', 'pbkdf2_hmac', 'salt', '2000'));
SET block_encryption_mode='AES-128-OFB';
SELECT @@block_encryption_mode;
SELECT HEX(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'));
SELECT AES_DECRYPT(AES_ENCRYPT('some text here', 'key', '0123456789abcdef'), 'key', '0123456789abcdef');
SET block_encryption_mode='aes-192-ofb';
SELECT HEX(AES_ENCRYPT('sixteen bytes...', 'key', '0123456789abcdef'));
SET block_encryption_mode='aes-256-ofb';
SELECT HEX(AES_ENCRYPT(REPEAT('ab', 30), 'a key that is longer than the thirty-two bytes there are', '0123456789abcdef'));
-- nothing is padded: any bytes can be decrypted, of any length
SELECT HEX(AES_DECRYPT('x', 'key', '0123456789abcdef')), HEX(AES_ENCRYPT('', 'key', '0123456789abcdef')), HEX(AES_DECRYPT('', 'key', '0123456789abcdef'));
SELECT AES_ENCRYPT(NULL, 'key', '0123456789abcdef'), AES_ENCRYPT('a', NULL, '0123456789abcdef');
SELECT AES_ENCRYPT('a', 'key', 'short');
SELECT AES_DECRYPT('a', 'key', NULL);
SELECT AES_ENCRYPT('a', 'key');
SELECT AES_DECRYPT('a', 'key');
SET block_encryption_mode='aes-128-cfb64';
SET block_encryption_mode=15;
SELECT @@block_encryption_mode;
SET block_encryption_mode=18;
SET block_encryption_mode=DEFAULT;
--! end
