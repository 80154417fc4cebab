import { text } from 'node:stream/consumers';
import { type BaselineInput, startBaseline } from './portal-baselines.ts';

// Its input holds a key, so it comes by stdin; it ends when it is killed.
const port = await startBaseline(JSON.parse(await text(process.stdin)) as BaselineInput);
process.stdout.write(`${port}\n`);
