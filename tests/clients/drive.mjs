// Hold conversations as one client: `drive.mjs PROGRAM`. See `drive.py`; here `connect(url, headers)` of the
// program returns an object with `listTools()`, `callTool(name, arguments)` and `close()`.

import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const { connect } = await import(pathToFileURL(process.argv[2]));

async function hold({ url, headers, calls }) {
    const { listTools, callTool, close } = await connect(url, headers);
    try {
        const report = { tools: await listTools(), results: [] };
        for (const [tool, args] of calls) {
            try {
                const [is_error, text] = await callTool(tool, args);
                report.results.push({ is_error, text });
            } catch (error) {
                report.results.push({ raised: String(error) });
            }
        }
        return report;
    } finally {
        await close();
    }
}

const reports = {};
for (const [name, conversation] of Object.entries(JSON.parse(await text(process.stdin)))) {
    reports[name] = await hold(conversation).catch((error) => ({ raised: String(error) }));
}
process.stdout.write(`${JSON.stringify(reports)}\n`, () => process.exit());
