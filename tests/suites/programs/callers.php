<?php
// Stored programs through mysqli and PDO; see tests/suites/callers.py.
mysqli_report(MYSQLI_REPORT_OFF);
$sock=$argv[1];
$m=new mysqli("localhost","root","","pr",0,$sock);
function drain($m){ while($m->more_results() && $m->next_result()) { if($r=$m->store_result()) $r->free(); } }
function show($x){echo json_encode($x),"\n";}
// multi query with CALL of several results
$m->multi_query("CALL two(3, @o); SELECT @o; CALL fails(); SELECT 1");
do { if($r=$m->store_result()){ show($r->fetch_all(MYSQLI_ASSOC)); $r->free(); } else show([$m->affected_rows,$m->errno,$m->error]); } while($m->more_results() && $m->next_result());
show([$m->errno,$m->error]);
// prepared CALL with several results and OUT
$s=$m->prepare("CALL two(?, @o)"); $n=5; $s->bind_param("i",$n); show($s->execute());
do { $r=$s->get_result(); if($r) show($r->fetch_all(MYSQLI_NUM)); } while($s->more_results() && $s->next_result());
$s->close(); show($m->query("SELECT @o")->fetch_all());
$s=$m->prepare("CALL outs(?,?,?)"); $a=1;$b="x";$c=null; $s->bind_param("iss",$a,$b,$c); show([$s->execute(),$s->errno,$s->error]);
do { $r=$s->get_result(); if($r){ show($r->fetch_all(MYSQLI_ASSOC)); $fs=$r->fetch_fields(); foreach($fs as $f) show([$f->name,$f->type,$f->length,$f->flags,$f->decimals,$f->table]); } } while($s->more_results() && $s->next_result());
$s->close();
$r=$m->query("CALL fails()"); show($r ? $r->fetch_all() : false); if($r) $r->free(); drain($m); show([$m->errno,$m->sqlstate,$m->error]);
show($m->query("SELECT f(4) x, f(NULL)")->fetch_all());
$r=$m->query("CALL warns()"); show($r->fetch_all()); $r->free(); drain($m); show([$m->warning_count]); show($m->query("SHOW WARNINGS")->fetch_all());
show([$m->query("INSERT INTO t VALUES (NULL, 7)"), $m->insert_id, $m->affected_rows]);
show($m->query("CALL ins(8)")); drain($m); show([$m->insert_id, $m->affected_rows]); show($m->query("SELECT * FROM t")->fetch_all());
foreach ([true,false] as $emulate) {
  $p=new PDO("mysql:unix_socket=$sock;dbname=pr","root","",[PDO::ATTR_ERRMODE=>PDO::ERRMODE_EXCEPTION, PDO::ATTR_EMULATE_PREPARES=>$emulate]);
  $s=$p->prepare("CALL two(?, @o)"); $s->execute([9]);
  do { try { show($s->fetchAll(PDO::FETCH_NUM)); } catch(PDOException $e) { show($e->getMessage()); } } while($s->nextRowset());
  $s->closeCursor(); show($p->query("SELECT @o")->fetchAll(PDO::FETCH_NUM));
  $q=new PDO("mysql:unix_socket=$sock;dbname=pr","root","",[PDO::ATTR_ERRMODE=>PDO::ERRMODE_EXCEPTION, PDO::ATTR_EMULATE_PREPARES=>$emulate]);
  try { $s=$q->query("CALL fails()"); do { show($s->fetchAll(PDO::FETCH_NUM)); } while($s->nextRowset()); } catch(PDOException $e) { show([$e->getCode(),$e->errorInfo]); }
  $s=$p->prepare("CALL outs(?,?,?)"); try { $s->execute([1,'y',null]); do { try { show($s->fetchAll(PDO::FETCH_ASSOC)); } catch(PDOException $e) { show($e->getMessage()); } } while($s->nextRowset()); } catch(PDOException $e) { show($e->errorInfo); }
  try { $s->closeCursor(); } catch(PDOException $e) {}
  $p->exec("CALL ins(11)"); show($p->lastInsertId());
}
