// Writes a document of several files as one, and with `--as-3` one of Swagger 2.0 as OpenAPI 3.0:
// node rewrite.cjs DOCUMENT OUT [--as-3]
"use strict";
const fs = require("node:fs");
const { $RefParser } = require("@stoplight/json-schema-ref-parser");
const parser = $RefParser || require("@stoplight/json-schema-ref-parser");
const { convertObj } = require("swagger2openapi");

async function main([document, out, as3]) {
  const whole = await parser.bundle(document);
  const made = as3 ? (await convertObj(whole, { patch: true, warnOnly: true })).openapi : whole;
  if (as3) made["x-swagger"] = "2.0";
  fs.writeFileSync(out, JSON.stringify(made));
}

main(process.argv.slice(2)).catch((fault) => {
  console.error(String(fault));
  process.exit(1);
});
