# Stored programs through DBD::mysql and DBD::MariaDB; see tests/suites/callers.py.
use DBI; my ($drv,$sock)=@ARGV; my $k=$drv eq 'mysql'?'mysql_socket':'mariadb_socket';
for my $ps (0,1) {
my $d=DBI->connect("DBI:$drv:database=pr;host=localhost;$k=$sock;".($drv eq 'mysql'?'mysql':'mariadb')."_server_prepare=$ps","root","",{RaiseError=>0,PrintError=>0});
my $s=$d->prepare("CALL two(?, \@o)"); print defined($s->execute(4))?1:0,"\n";
do { if($s->{NUM_OF_FIELDS}) { my $r=$s->fetchall_arrayref(); print join(";",map{join(",",map{defined $_?$_:'NULL'}@$_)}@$r),"\n"; } else { print "no rows ",$s->rows,"\n"; } } while($s->more_results);
$s->finish; print join(",",@{$d->selectall_arrayref("SELECT \@o")->[0]}),"\n";
$d->do("CALL fails()"); print $d->err," ",$d->state," ",$d->errstr,"\n";
my $r=$d->selectrow_arrayref("SELECT f(?)",undef,6); print "@$r\n";
$d->do("CALL ins(?)",undef,3); print $d->last_insert_id(undef,undef,undef,undef),"\n"; }
