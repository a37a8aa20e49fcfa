// Loads one module from a changed source: `node --import changed_source.mjs`. The environment names the end of the
// module's address (MUTATED_MODULE) and the file with the source (MUTATED_SOURCE).

import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
    load(url, context, nextLoad) {
        if (!url.endsWith(process.env.MUTATED_MODULE)) return nextLoad(url, context);
        return { format: 'module', shortCircuit: true, source: readFileSync(process.env.MUTATED_SOURCE, 'utf8') };
    }
});
