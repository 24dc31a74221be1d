// vstream ADDRESS KEYSPACE TABLE [POSITION]: prints what vtgate streams of a table, one JSON object a line, until it is
// killed. A line is {"shard", "kind", "row"}: kind is insert, update, delete, ddl, vgtid or copy_completed; row holds
// the columns of the new row (of a delete: the old one) as text, bytes in hex, NULL as null. A vgtid's "position" is
// what POSITION takes to go on after it; without one the table is copied first.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"google.golang.org/protobuf/encoding/protojson"

	"vitess.io/vitess/go/sqltypes"
	binlogdatapb "vitess.io/vitess/go/vt/proto/binlogdata"
	querypb "vitess.io/vitess/go/vt/proto/query"
	topodatapb "vitess.io/vitess/go/vt/proto/topodata"
	vtgatepb "vitess.io/vitess/go/vt/proto/vtgate"
	_ "vitess.io/vitess/go/vt/vtgate/grpcvtgateconn"
	"vitess.io/vitess/go/vt/vtgate/vtgateconn"
)

type line struct {
	Shard    string             `json:"shard,omitempty"`
	Kind     string             `json:"kind"`
	Row      map[string]*string `json:"row,omitempty"`
	Text     string             `json:"text,omitempty"`
	Position json.RawMessage    `json:"position,omitempty"`
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func columns(fields []*querypb.Field, row *querypb.Row) map[string]*string {
	out := map[string]*string{}
	for i, value := range sqltypes.MakeRowTrusted(fields, row) {
		if value.IsNull() {
			out[fields[i].Name] = nil
			continue
		}
		text := string(value.Raw())
		if sqltypes.IsBinary(fields[i].Type) {
			text = fmt.Sprintf("%x", value.Raw())
		}
		out[fields[i].Name] = &text
	}
	return out
}

func main() {
	ctx := context.Background()
	address, keyspace, table := os.Args[1], os.Args[2], os.Args[3]
	position := &binlogdatapb.VGtid{ShardGtids: []*binlogdatapb.ShardGtid{{Keyspace: keyspace}}}
	if len(os.Args) > 4 {
		if err := protojson.Unmarshal([]byte(os.Args[4]), position); err != nil {
			fail(err)
		}
	}
	conn, err := vtgateconn.Dial(ctx, address)
	if err != nil {
		fail(err)
	}
	filter := &binlogdatapb.Filter{Rules: []*binlogdatapb.Rule{{Match: table, Filter: "select * from " + table}}}
	reader, err := conn.VStream(ctx, topodatapb.TabletType_PRIMARY, position, filter, &vtgatepb.VStreamFlags{})
	if err != nil {
		fail(err)
	}
	fields := map[string][]*querypb.Field{}
	out := json.NewEncoder(os.Stdout)
	for {
		events, err := reader.Recv()
		if err != nil {
			fail(err)
		}
		for _, event := range events {
			switch event.Type {
			case binlogdatapb.VEventType_FIELD:
				fields[event.FieldEvent.Shard+event.FieldEvent.TableName] = event.FieldEvent.Fields
			case binlogdatapb.VEventType_ROW:
				for _, change := range event.RowEvent.RowChanges {
					of := fields[event.RowEvent.Shard+event.RowEvent.TableName]
					one := line{Shard: event.RowEvent.Shard}
					switch {
					case change.Before == nil:
						one.Kind, one.Row = "insert", columns(of, change.After)
					case change.After == nil:
						one.Kind, one.Row = "delete", columns(of, change.Before)
					default:
						one.Kind, one.Row = "update", columns(of, change.After)
					}
					out.Encode(one)
				}
			case binlogdatapb.VEventType_DDL:
				out.Encode(line{Kind: "ddl", Text: event.Statement})
			case binlogdatapb.VEventType_COPY_COMPLETED:
				out.Encode(line{Kind: "copy_completed", Shard: event.Shard})
			case binlogdatapb.VEventType_VGTID:
				text, err := protojson.Marshal(event.Vgtid)
				if err != nil {
					fail(err)
				}
				out.Encode(line{Kind: "vgtid", Position: text})
			}
		}
	}
}
