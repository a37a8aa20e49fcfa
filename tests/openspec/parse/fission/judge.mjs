// Says how OpenSpec reads texts: a JSON list of questions in, a JSON list of answers out.
import { promises as fs } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const CORE = path.resolve('node_modules/@fission-ai/openspec/dist/core');
const load = (name) => import(pathToFileURL(path.join(CORE, name)).href);

const { MarkdownParser } = await load('parsers/markdown-parser.js');
const { diffScenarioNames, parseDeltaSpec } = await load('parsers/requirement-blocks.js');
const { Validator } = await load('validation/validator.js');
const { buildUpdatedSpec, findSpecUpdates } = await load('specs-apply.js');

const NOTHING = { raw: '' };

async function spec({ text }) {
  const parser = new MarkdownParser(text);
  const section = parser.findSection(parser.parseSections(), 'Requirements');
  return {
    ...(await verdicts((validator) => validator.validateSpecContent('x', text))),
    requirements: section === undefined ? [] : parser.parseRequirements(section),
  };
}

async function delta({ text }) {
  const plan = parseDeltaSpec(text);
  const blocks = (list) => list.map((block) => ({
    name: block.name,
    scenarios: diffScenarioNames(NOTHING, block).added,
  }));
  const folder = await written({ 'changes/c/specs/x/spec.md': text });
  return {
    ...(await verdicts((each) => each.validateChangeDeltaSpecs(path.join(folder, 'changes/c')))),
    added: blocks(plan.added),
    modified: blocks(plan.modified),
    removed: plan.removed,
    renamed: plan.renamed,
  };
}

async function merge({ main, text, capability, change }) {
  const files = { [`changes/${change}/specs/${capability}/spec.md`]: text };
  if (main !== null) files[`specs/${capability}/spec.md`] = main;
  const folder = await written(files);
  const updates = await findSpecUpdates(
    path.join(folder, 'changes', change), path.join(folder, 'specs'));
  try {
    const built = await buildUpdatedSpec(updates[0], change, { silent: true });
    const changed = Object.values(built.counts).some((count) => count > 0);
    return { text: changed || main === null ? built.rebuilt : main };
  } catch (error) {
    return { refused: error.message };
  }
}

async function verdicts(ask) {
  const report = await ask(new Validator(false));
  const strict = await ask(new Validator(true));
  return { valid: report.valid, strict: strict.valid, issues: report.issues };
}

async function written(files) {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'openspec-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await fs.mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await fs.writeFile(path.join(folder, name), text);
  }
  return folder;
}

const folders = [];
const answers = [];
let asked = '';
for await (const chunk of process.stdin) asked += chunk;
try {
  for (const question of JSON.parse(asked)) {
    answers.push(await { spec, delta, merge }[question.kind](question));
  }
} finally {
  for (const folder of folders) await fs.rm(folder, { recursive: true });
}
process.stdout.write(JSON.stringify(answers));
