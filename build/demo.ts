import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { games as gameFacts } from '#contracts/servers/games.ts';
import { createLog } from '#runtime/log.ts';
import { runProgram } from '#runtime/program.ts';
import { untilAborted } from '#runtime/until-aborted.ts';
import { startBuild } from './bundle.ts';
import { startDemoDiscord } from './demo/discord.ts';
import { setUpDemoDiscord } from './demo/discord-features.ts';
import { type DemoGameServer, type DemoGames, startDemoGames, startDemoSimulators } from './demo/games.ts';
import { startDemoPortal } from './demo/portal.ts';
import { choosePorts } from './demo/ports.ts';
import { createDemoDatabase, startDemoStack } from './demo/stack.ts';
import { openDemoStore } from './demo/store.ts';
import { together } from './demo/together.ts';
import { prepareAgentProgramsBeside } from './package/agent-programs-beside.ts';
import { endWithNpm } from './script-process.ts';

interface Options {
  readonly home?: string;
  readonly port?: number;
  readonly bare?: boolean;
  readonly discord?: boolean;
}

const portNumber = (text: string): number => {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1024 || port > 65_000)
    throw new InvalidArgumentError('It must be a number from 1024 to 65000.');
  return port;
};

const command = new Command('npm run demo --')
  .description('Brings up a portal, a license and the licensed stack on this machine; Ctrl-C ends all of it.')
  .option('--home <folder>', 'keep everything there; without it a temporary folder is used and removed')
  .option('--port <number>', 'take free ports from this one on', portNumber)
  .option('--bare', 'no game servers: an installation as its owner finds it at first')
  .option('--discord', 'a simulated Discord for the bot, with a page that shows its channels')
  .parse();
const options = command.opts<Options>();

const say = (line: string) => process.stderr.write(`${line}\n`);

const makeHome = async (resources: AsyncDisposableStack): Promise<string> => {
  if (options.home) {
    const home = resolve(options.home);
    await mkdir(home, { recursive: true, mode: 0o711 });
    return home;
  }
  const home = await mkdtemp(join(tmpdir(), 'castellan-demo-'));
  await chmod(home, 0o711);
  resources.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  return home;
};

const lineOf = ({ name, game, port, hasAgent }: DemoGameServer): string =>
  `  ${name.padEnd(16)}${gameFacts[game].name}, simulated, console on port ${port}${hasAgent ? ', with a Game Agent' : ''}`;

/** A person reads this, so the reason comes last and in plain words. */
const tell = (line: string) => {
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string; stack?: string } };
  if (err?.stack) say(err.stack);
  say(err ? `${msg}: ${err.message}` : msg);
};

const noGames: Pick<DemoGames, 'servers' | 'pids'> = { servers: [], pids: {} };

/** As a shell reads it as one word. */
const inShell = (path: string): string => (/^[\w@%+=:,./\\-]+$/.test(path) ? path : `"${path}"`);

endWithNpm();
await runProgram(
  async ({ resources, stopping }) => {
    const build = resources.use(startBuild({ say }));
    const home = await makeHome(resources);
    const portalHome = join(home, 'portal');
    const ports = await choosePorts(options.port ?? null, join(home, '.env'), join(portalHome, '.env'));

    const [portal, discord] = await together(stopping, [
      async (signal) => {
        await build.ready(['portal', 'guardian'], signal);
        say('starting the portal …');
        return resources.use(await startDemoPortal(portalHome, ports, signal));
      },
      async (signal) => resources.use(options.discord ? await startDemoDiscord(home, signal) : null),
      () => createDemoDatabase(home, ports),
    ]);
    const issuing = portal.license(join(home, 'demo-license.json'));
    const [stack, simulators, licenseKey] = await together(stopping, [
      async (signal) => {
        await build.ready(['castellan', 'disk-worker', 'api', 'bot', 'agent', 'panel'], signal);
        say('starting the stack …');
        return resources.use(
          await startDemoStack({ home, ports, portal, licenseKey: issuing, discord, stopping: signal }),
        );
      },
      async () =>
        resources.use(options.bare ? null : await startDemoSimulators(home, options.port ?? null, ports)),
      () => issuing,
    ]);
    if (simulators) say('starting simulated game servers and an agent, and delivering a first order …');
    const isKept = options.home !== undefined;
    const [stackPids, [games, store]] = await together(stopping, [
      () => stack.healthy(),
      async (signal) => {
        if (!simulators) return [noGames, null] as const;
        const games = resources.use(await startDemoGames({ simulators, isKept, stack, stopping: signal }));
        return [games, await openDemoStore({ stack, servers: games.servers, stopping: signal })] as const;
      },
    ]);
    if (discord) await setUpDemoDiscord({ stack, servers: games.servers, discord });
    const ready = {
      apiUrl: stack.apiUrl,
      portalUrl: portal.url,
      licenseKey,
      hwid: stack.hwid,
      home,
      databaseUrl: stack.databaseUrl,
      portalDatabaseUrl: portal.databaseUrl,
      licensePublicKey: portal.publicKey,
      admin: stack.admin,
      servers: games.servers,
      ...(store && { store }),
      ...(discord && { discord: discord.place }),
      pids: {
        demo: process.pid,
        portal: portal.pid,
        ...(discord && { discord: discord.pid }),
        ...stackPids,
        ...games.pids,
      },
    };
    stopping.throwIfAborted();
    say(`
Castellan is running. Ctrl-C ends everything.

  Panel and API   ${stack.apiUrl}
  Portal          ${portal.url}
  License         ${licenseKey}
  Admin           ${stack.admin.name}, password ${stack.admin.password}
  Home folder     ${home}${discord ? `\n  Discord         ${discord.place.url}, simulated` : ''}
${games.servers.map(lineOf).join('\n')}

  npm run castellan -- status --home ${inShell(home)}
`);
    process.stdout.write(`CASTELLAN DEMO READY ${JSON.stringify(ready)}\n`);
    // The desktop, which the demo does not need.
    await untilAborted(build.finished, stopping).catch(
      (error: Error) => stopping.aborted || say(error.message),
    );
    stopping.throwIfAborted();
    resources.use(prepareAgentProgramsBeside(say));
  },
  {
    log: createLog({ component: 'demo', level: 'warn', destination: { write: tell } }),
    // Only a guard: what ends here by force leaves its folder behind, and a busy machine takes its time to stop two databases.
    stopDeadlineMs: 60_000,
  },
);
