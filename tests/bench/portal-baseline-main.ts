import { text } from 'node:stream/consumers';
import { type BaselineInput, startBaseline } from './portal-baselines.ts';

// The input contains a key, so it comes by stdin. The process runs until it is killed.
const port = await startBaseline(JSON.parse(await text(process.stdin)) as BaselineInput);
process.stdout.write(`${port}\n`);
