-- Types that user variables are read with: the widest of their kind; a DECIMAL keeps its own digits as a text.
CREATE TABLE u (i INT, s VARCHAR(10), d DECIMAL(6,2), f FLOAT, b BIGINT UNSIGNED, dt DATETIME(3), t TIME, y YEAR, bi VARBINARY(5), tx TEXT, UNIQUE (s), KEY (d));
INSERT INTO u VALUES (1,'a',1.5,1.5,2,'2001-01-01 10:00:00.5','10:00:00',0,'x','y');
SET @i=1, @s='abc', @d=1.50, @f=1.5e0, @b=18446744073709551615, @x=x'41';
--! ours MariaDB has the types of the values
CREATE TABLE c1 SELECT @i, @s, @d, @f, @b, @x, @undefined;
SHOW CREATE TABLE c1;
SELECT * FROM c1;
SELECT u.i, u.s, u.d, u.f, u.b, u.dt, u.t, u.y, u.bi, u.tx INTO @ui, @us, @ud, @uf, @ub, @udt, @ut, @uy, @ubi, @utx FROM u;
CREATE TABLE c2 SELECT @ui, @us, @ud, @uf, @ub, @udt, @ut, @uy, @ubi, @utx;
SHOW CREATE TABLE c2;
SELECT * FROM c2;
CREATE TABLE c4 SELECT @i+1, CONCAT(@s,'x'), @d*2, IFNULL(@i,1), COALESCE(@s,'x'), @i=1, ROUND(@d,1), @d+0 AS x;
SHOW CREATE TABLE c4;
SELECT @i a, @s b, @d c, @f d, @b e, @uy f, @ud g, @uf h;
SELECT @d+1 a, @d/3 b, @d*@d c, CONCAT(@d) d, -@d e, ROUND(@d) f, SUM(@d) g, MAX(@s) h, IF(1,@d,1.234) i, COALESCE(@d,1) j;
SELECT i FROM u WHERE s = @us AND d = @ud AND b = @ub AND dt = @udt AND tx = @utx;
SELECT i FROM u WHERE s > @us OR d BETWEEN @d AND @ud OR i IN (@i, @ui);
SELECT @s UNION SELECT 'x';
SELECT GROUP_CONCAT(@s, @d) a, LPAD(@s, 5, @i) b, HEX(@x) c, LENGTH(@x) d, @s = 'ABC' e, CHARSET(@s) f, COLLATION(@x) g, JSON_ARRAY(@i, @s, @d, @f) h;
--! end
