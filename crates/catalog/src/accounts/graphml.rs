//! ROLES_GRAPHML(): accounts and the roles granted to them as a GraphML document (manual, "Information Functions").
//!
//! Accounts are nodes; a grant is an edge from the account to its role, whose colour is 1 where it was WITH ADMIN OPTION. Tested:
//! `tests/sql/golden/account_roles_graphml.sql`.

use super::{AccountTable, roles};

const OPENING: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns \
http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">
  <key id=\"key0\" for=\"edge\" attr.name=\"color\" attr.type=\"int\" />
  <key id=\"key1\" for=\"node\" attr.name=\"name\" attr.type=\"string\" />
  <graph id=\"G\" edgedefault=\"directed\" parse.nodeids=\"canonical\" parse.edgeids=\"canonical\" parse.order=\"nodesfirst\">\n";

/// The document of all accounts, in the order in which they are matched.
pub fn document(table: &AccountTable) -> String {
    let mut out = OPENING.to_owned();
    for (i, a) in table.iter().enumerate() {
        let name = escaped(&roles::quoted(&(a.user.clone(), a.host.clone())));
        out.push_str(&format!("    <node id=\"n{i}\">\n      <data key=\"key1\">{name}</data>\n    </node>\n"));
    }
    let mut edges = 0;
    for (source, a) in table.iter().enumerate() {
        for ((user, host), admin) in &a.privileges.roles {
            let Some(target) = table.iter().position(|r| r.user == *user && r.host == *host) else { continue };
            out.push_str(&format!("    <edge id=\"e{edges}\" source=\"n{source}\" target=\"n{target}\">\n"));
            out.push_str(&format!("      <data key=\"key0\">{}</data>\n    </edge>\n", u8::from(*admin)));
            edges += 1;
        }
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&apos;")
}
