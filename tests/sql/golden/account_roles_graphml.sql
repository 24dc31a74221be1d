-- ROLES_GRAPHML, and functions that only MySQL itself may call
--! ours MariaDB has none of these functions
CREATE ROLE reader, `<"&'>`@`10.%`;
GRANT reader TO root@localhost WITH ADMIN OPTION;
GRANT reader TO `<"&'>`@`10.%`;
--! names off
--! mysql it lists the accounts of MySQL's own too, and in the order in which they were made
SELECT ROLES_GRAPHML();
SELECT CHARSET(ROLES_GRAPHML()), COLLATION(ROLES_GRAPHML()), COERCIBILITY(ROLES_GRAPHML());
SELECT ROLES_GRAPHML(1);
DROP ROLE reader, `<"&'>`@`10.%`;

SELECT CAN_ACCESS_DATABASE('x');
SELECT Can_Access_Table('x', 'y');
SELECT CAN_ACCESS_USER();
SELECT GET_DD_CREATE_OPTIONS('a', 1, 2);
SELECT INTERNAL_AUTO_INCREMENT();
SELECT IS_VISIBLE_DD_OBJECT('a');
SELECT INTERNALLY();
SELECT INTERNAL_NONSENSE();
--! end
