/** Runs on Windows: starts a batch file in each of these folders with these arguments as an agent does, and reports what arrived. */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareBatch } from '../../../agent/power/ways/prepare-command.ts';

const [folder = '', asked = '', told = ''] = process.argv.slice(2);
const { names, args } = JSON.parse(asked) as { names: string[]; args: string[] };

const script = join(folder, 'arrived.cjs');
await writeFile(script, 'console.log(JSON.stringify(process.argv.slice(2)))');

const start = async (name: string) => {
  const file = join(folder, name, 'start.bat');
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(file, `@echo off\r\n"${process.execPath}" "${script}" %*\r\n`);
  const prepared = prepareBatch(file, args);
  if ('fault' in prepared) return prepared.fault.detail;
  const options = { windowsVerbatimArguments: prepared.isVerbatim, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(prepared.program, prepared.args, options);
  return stderr || JSON.parse(stdout);
};

const arrived: Record<string, unknown> = {};
for (const name of names) arrived[name] = await start(name);
await writeFile(told, JSON.stringify(arrived));
