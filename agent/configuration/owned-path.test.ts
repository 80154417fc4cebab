import { chmod, chown, lchown, mkdir, realpath, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#harness/eventually.ts';
import { temporaryFolder } from '#harness/temporary-folder.ts';
import { foreignHand } from '#runtime/owned-path.ts';
import { prepareCommand } from '../power/ways/prepare-command.ts';
import { startAgentProcess } from '../testing/agent-process.ts';
import { agentHome } from './agent-home.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

const openHome = async (outer: string) => {
  const home = agentHome(join(outer, 'home'), {});
  const config = home.configPath('one');
  await mkdir(dirname(config), { recursive: true, mode: 0o700 });
  await mkdir(home.programFolder, { mode: 0o755 });
  await writeFile(join(home.programFolder, 'castellan-agent'), '');
  const content = { apiUrl: 'http://127.0.0.1:9', serverId: 'one', secret: 'a-secret-long-enough' };
  await writeFile(config, JSON.stringify({ ...content, game: 'minecraft', console: null }), { mode: 0o600 });
  return { home, config };
};
type Home = Awaited<ReturnType<typeof openHome>>;

const chmods = (path: string) => new RegExp(`Other accounts may change ${path}.*chmod go-w "${path}"`);
const chowns = (path: string) =>
  new RegExp(`${path} belongs to the account nobody.*chown root "${path}"\\), or run this command as nobody`);

interface Case {
  readonly name: string;
  readonly spoil: (it: Home) => Promise<string>;
  readonly says: (path: string) => RegExp;
}
const given = (of: (it: Home) => string) => async (it: Home) => {
  await chown(of(it), nobody, nobody);
  return of(it);
};
const opened = (of: (it: Home) => string, mode: number) => async (it: Home) => {
  await chmod(of(it), mode);
  return of(it);
};
const cases: readonly Case[] = [
  { name: 'a home of another account', spoil: given(({ home }) => home.folder), says: chowns },
  { name: 'a home that a group may write', spoil: opened(({ home }) => home.folder, 0o770), says: chmods },
  {
    name: 'a way that all may write',
    spoil: opened(({ home }) => dirname(home.folder), 0o777),
    says: chmods,
  },
  { name: 'a way of another account', spoil: given(({ home }) => dirname(home.folder)), says: chowns },
  {
    name: 'a folder of servers that all may write',
    spoil: opened(({ home }) => join(home.folder, 'servers'), 0o1777),
    says: chmods,
  },
  {
    name: 'a program folder of another account',
    spoil: given(({ home }) => home.programFolder),
    says: chowns,
  },
  {
    name: 'a program that all may write',
    spoil: opened(({ home }) => join(home.programFolder, 'castellan-agent'), 0o777),
    says: chmods,
  },
  {
    name: 'a home behind a link of another account',
    async spoil({ home }) {
      const real = `${home.folder} real`;
      await rename(home.folder, real);
      await symlink(real, home.folder);
      await lchown(home.folder, nobody, nobody);
      return home.folder;
    },
    says: chowns,
  },
  { name: 'a state folder of another account', spoil: given(({ config }) => dirname(config)), says: chowns },
  { name: 'a configuration of another account', spoil: given(({ config }) => config), says: chowns },
  { name: 'a configuration that all may write', spoil: opened(({ config }) => config, 0o666), says: chmods },
];

// Guarantee: an agent starts nothing from a data folder, program, state folder or configuration that another account could change,
// names the path with its remedy, and runs as soon as that is applied.
test.skipIf(!isRoot).for(cases)('$name', async ({ spoil, says }) => {
  await using folder = await temporaryFolder('owned');
  const it = await openHome(await realpath(folder.path));
  const bad = await spoil(it);
  await using agent = startAgentProcess('run', '--home', it.home.folder);
  await eventually(() => expect(agent.stderr()).toMatch(says(bad)), 30_000);
  expect(agent.stderr()).not.toContain('running server="one"');
});

// Guarantee: a link that root made, and a shared folder in which no one may rename another account's files, are not faults.
test.skipIf(!isRoot)('what is allowed', async () => {
  await using folder = await temporaryFolder('owned');
  const outer = await realpath(folder.path);
  const { home, config } = await openHome(outer);
  await chmod(outer, 0o1777);
  await symlink(home.folder, join(outer, 'linked'));
  const linked = agentHome(join(outer, 'linked'), {});
  for (const path of [home.folder, home.programFolder, config, linked.folder, linked.configPath('one')])
    expect(await foreignHand(path)).toBe(null);
  await using agent = startAgentProcess('run', '--home', linked.folder);
  await eventually(() => expect(agent.stderr()).toContain('running server="one"'), 30_000);
});

// Guarantee: root starts no game whose program or folder another account could change; under that account it does start.
test.skipIf(!isRoot)('a command for root', async () => {
  await using outer = await temporaryFolder('owned');
  const folder = join(await realpath(outer.path), 'game');
  await mkdir(folder);
  const program = join(folder, 'run.sh');
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
  const prepare = (account: string | null) => prepareCommand(folder, { command: ['./run.sh'], account });
  expect(await prepare(null)).toMatchObject({ program });
  await chmod(program, 0o775);
  expect(await prepare(null)).toMatchObject({ fault: { detail: expect.stringMatching(chmods(program)) } });
  await chmod(program, 0o755);
  await chown(folder, nobody, nobody);
  for (const account of [null, 'root'])
    expect(await prepare(account)).toMatchObject({
      fault: {
        detail: expect.stringMatching(
          /would run as root.*belongs to the account nobody.*"account" beside "command"/,
        ),
      },
    });
  await chmod(outer.path, 0o755);
  expect(await prepare('nobody')).toMatchObject({ program, account: { uid: nobody } });
});
