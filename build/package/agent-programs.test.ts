import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { agentProgramsManifestName } from '#contracts/servers/agent-downloads.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { agentExecutable } from './agent.ts';
import { prepareAgentPrograms } from './agent-programs.ts';

const root = resolve(import.meta.dirname, '../..');

// Guarantee: the agent's programs, whose build takes a processor for a quarter of a minute, are built once, and again when a source
// of the agent has changed.
test('unchanged sources of the agent', async () => {
  await using checkout = await temporaryFolder('agent-programs');
  const at = (name: string) => join(checkout.path, name);
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.base.json'])
    await cp(join(root, name), at(name));
  for (const name of ['agent', 'node_modules']) await mkdir(at(name));
  await writeFile(at('node_modules/.package-lock.json'), '{}');
  await writeFile(at('agent/main.ts'), '');
  let built = 0;
  const layOut = async (folder: string) => {
    built += 1;
    await mkdir(folder, { recursive: true });
    for (const name of [agentProgramsManifestName, ...Object.values(agentExecutable)])
      await writeFile(join(folder, name), `build ${built}`);
  };
  const prepare = () => prepareAgentPrograms(checkout.path, at('dist'), layOut);
  await prepare();
  await prepare();
  expect(built).toBe(1);
  await writeFile(at('agent/main.ts'), 'changed');
  await prepare();
  expect(built).toBe(2);
});
