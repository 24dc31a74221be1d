//! Types of parameters and results: what a declaration means under the schema's collation, and how MySQL prints what a
//! function returns. Tested: golden `program_show`.

use crate::kernel::session::Session;
use base::SqlResult;
use parser::ast::{self, CreateProgram, VariableType};
use storage::dict::{Parameter, ParameterMode};
use value::{CollationId, SqlType};
use views::create::column_type;

impl Session {
    /// The parameters of a routine, and what a function returns.
    pub(super) fn program_types(
        &mut self,
        sql: &[u8],
        c: &CreateProgram<'_>,
        collation: CollationId,
    ) -> SqlResult<(Vec<Parameter>, Option<SqlType>)> {
        let (done, mut warnings) = self.with_ddl(sql, |ctx| {
            // errors name no column
            let mut of =
                |t: &VariableType<'_>| executor::ddl::types::column_type(&t.ty, "", t.collation, collation, ctx);
            let mut parameters = Vec::new();
            for p in c.parameters {
                let mode = match p.mode {
                    ast::ParameterMode::In => ParameterMode::In,
                    ast::ParameterMode::Out => ParameterMode::Out,
                    ast::ParameterMode::InOut => ParameterMode::InOut,
                };
                parameters.push(Parameter { mode, name: p.name.to_owned(), ty: of(&p.ty)? });
            }
            let result = c.returns.as_ref().map(&mut of).transpose()?;
            Ok((parameters, result))
        });
        self.env.conv.warning_count += warnings.len() as u64;
        self.env.conv.warnings.append(&mut warnings);
        done
    }
}

/// RETURNS as SHOW CREATE FUNCTION prints it.
pub(super) fn returns(ty: &SqlType) -> String {
    let mut out = column_type(ty);
    if ty.is_character() {
        let (charset, collation) = (ty.charset(), ty.collation);
        out.push_str(&format!(" CHARSET {}", charset.name()));
        if collation != charset.default_collation() {
            out.push_str(&format!(" COLLATE {}", collation.get().name));
        }
    }
    out
}
