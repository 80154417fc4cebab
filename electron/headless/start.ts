import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setupLinkFile } from '#contracts/operations/setup.ts';
import type { ComponentStatus } from '#contracts/operations/stack.ts';
import { leftRestoreWords } from '#runtime/backup/restore-journal.ts';
import { whenThereIsRoom } from '#runtime/disk-space.ts';
import { readEnvFile } from '#runtime/env.ts';
import { demandDataFolder } from '#runtime/folder-check/demand-folder.ts';
import { makeHome } from '#runtime/home.ts';
import { findFreePort, tryPort } from '#runtime/ports.ts';
import { printable } from '#runtime/printable.ts';
import { runProgram } from '#runtime/program.ts';
import { readStackConfig, stackEnvPath } from '#runtime/stack-config.ts';
import { controlRoutes } from '../control/control-routes.ts';
import { type HeldHome, holdHome } from '../control/held-home.ts';
import { keepingRefusal } from '../control/start-refusal.ts';
import { ensureEnv } from '../first-start/ensure-env.ts';
import { readLicenseServer } from '../first-start/license-server.ts';
import { writeEnv } from '../network/change-env.ts';
import { isOpenHost, networkChanges, networkVariables } from '../network/network-settings.ts';
import { readDatabaseUrl } from '../stack/database-url.ts';
import { openStack, type Stack } from '../stack/stack.ts';
import type { CommandContext } from './command-context.ts';
import { serveFirstRun } from './first-run/serve-first-run.ts';
import { openClient } from './license.ts';
import { demandNoServices } from './services.ts';
import { describeComponent } from './status.ts';
import type { Terminal } from './terminal.ts';

/** After this time, what a killed stack has left behind is gone. */
const leftoversMs = 5000;
const portPollMs = 250;

/** Writes free ports into `.env` in place of those that other programs have. @returns what was changed, in words */
const takeFreePorts = async (home: string): Promise<string[]> => {
  const { apiPort, apiHosts, databaseUrl } = await readStackConfig(home);
  const { port: postgresPort } = readDatabaseUrl(databaseUrl);
  const api = await freeInsteadOf(apiPort, apiHosts[0], null);
  const postgres = await freeInsteadOf(postgresPort, '127.0.0.1', api);
  const variables = networkVariables(await readEnvFile(stackEnvPath(home)));
  const wanted = { apiPort: api, postgresPort: postgres, isOpen: apiHosts.some(isOpenHost) };
  const { changes } = networkChanges(variables, wanted);
  if (Object.keys(changes).length > 0) await writeEnv(home, changes);
  return [
    ...(api === apiPort ? [] : [`port ${apiPort} is in use, so the API gets ${api}`]),
    ...(postgres === postgresPort ? [] : [`port ${postgresPort} is in use, so Postgres gets ${postgres}`]),
  ];
};

/** The port itself when it is free, or when no other one is. */
const freeInsteadOf = async (
  port: number,
  host: string | undefined,
  used: number | null,
): Promise<number> => {
  const until = performance.now() + leftoversMs;
  while ((await tryPort(port, host)) !== null) {
    if (performance.now() < until) {
      await delay(portPollMs);
      continue;
    }
    const free = (await findFreePort(port + 1, host)) ?? port;
    return free === used ? ((await findFreePort(free + 1, host)) ?? port) : free;
  }
  return port;
};

const heldBy = 'the command line';
/** Postgres is waited for; the guardian ends what is still running then. */
const stopDeadlineMs = 90_000;

export interface StartOptions {
  /** Take the next free port instead of one that another program has. */
  readonly useFreePorts?: boolean;
}

interface Prepared extends AsyncDisposable {
  readonly held: HeldHome;
  readonly stack: Stack;
}

/** Holds the data folder, and reads what the stack is started with. */
const prepare = async (
  { home, programsFolder, variables, terminal }: CommandContext,
  { useFreePorts = false }: StartOptions,
): Promise<Prepared> => {
  await using preparing = new AsyncDisposableStack();
  for (const words of await demandDataFolder(home, { variables, programsFolder })) terminal.say(words);
  await makeHome(home);
  await demandNoServices(home);
  const opened = await keepingRefusal(home, heldBy, async () => {
    const held = preparing.use(await holdHome(home, heldBy));
    if (held.leftRestore !== null) terminal.say(leftRestoreWords[held.leftRestore]);
    // Services may have been made just before; from here on none can be.
    await demandNoServices(home);
    const said = await ensureEnv(home, await readLicenseServer(programsFolder));
    if (useFreePorts) said.push(...(await takeFreePorts(home)));
    for (const words of said) terminal.say(words);
    const stack = preparing.use(
      await openStack({
        home,
        programsFolder,
        node: process.execPath,
        heldBy,
        onChange: progress(terminal),
        complain: terminal.complain,
      }),
    );
    return { held, stack };
  });
  const prepared = preparing.move();
  return { ...opened, [Symbol.asyncDispose]: () => prepared.disposeAsync() };
};

/** `castellan start`: supervises in the foreground until a signal, or `castellan stop`. */
export const start = async (context: CommandContext, options: StartOptions): Promise<void> => {
  const { home, terminal } = context;
  // While it waits, nothing is held, and a signal ends the process.
  const prepared = await whenThereIsRoom(home, () => prepare(context, options), {
    onFull: ({ message }) => terminal.complain(`${message}\nThe disk is full: waiting until there is room.`),
  });
  const { held, stack } = prepared;
  process.on('uncaughtExceptionMonitor', (error) =>
    terminal.complain(`Castellan failed unexpectedly: ${error.message}`),
  );

  await runProgram(
    async ({ resources, stopping, stop }) => {
      resources.use(prepared);
      stopping.addEventListener('abort', () => stopStack(stack, terminal));
      held.serve(
        controlRoutes({ stack, token: held.token, onStopped: () => stop('asked over the control channel') }),
      );
      await stack.start();
      if (stopping.aborted) return;
      terminal.say(whereThingsAre(stack));
      const link = await firstOwnerLink(home, stopping);
      if (link) resources.use(await offerFirstRun(stack, terminal, link));
    },
    { log: stack.log, stopDeadlineMs },
  );
};

const linkDeadlineMs = 60_000;
const linkPollMs = 250;

/** The API writes the link once its database is ready; where there is an owner, it writes none. */
const firstOwnerLink = async (home: string, stopping: AbortSignal): Promise<string | null> => {
  const until = performance.now() + linkDeadlineMs;
  while (!stopping.aborted && performance.now() < until) {
    const link = await readOwnerLink(home);
    if (link) return printable(link);
    await delay(linkPollMs, undefined, { ref: false });
  }
  return null;
};

const readOwnerLink = async (home: string): Promise<string | null> =>
  readFile(join(home, setupLinkFile), 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );

/** Without a license no request passes the API, so its page for the owner cannot be reached before the key is there. */
const offerFirstRun = async (stack: Stack, terminal: Terminal, link: string): Promise<AsyncDisposable> => {
  const owned = new AsyncDisposableStack();
  const { state, home } = stack.status();
  if (state !== 'unlicensed') {
    terminal.say(`There is no owner yet. Open this link to become the owner:\n  ${link}`);
    return owned;
  }
  const license = owned.use(await openClient(home));
  const page = owned.use(await serveFirstRun({ license, ownerLink: () => readOwnerLink(home) }));
  terminal.say(
    `There is no license and no owner yet. Open this link within 30 minutes, in a browser on this machine; it works once:\n  ${page.link}`,
  );
  void page.ended.then((how) => {
    if (how === 'expired')
      terminal.say(
        'The link for the set-up has expired. Start again for a new one, or run: castellan license activate',
      );
  });
  return owned;
};

/** Stops immediately, even in the middle of a start; a second Ctrl-C does not wait for the children to finish. */
const stopStack = (stack: Stack, terminal: Terminal) => {
  if (stack.status().state === 'stopped') return;
  terminal.say('Stopping …');
  void stack.stop();
  const supervised = process.send !== undefined;
  if (supervised) return;
  process.on('SIGINT', () => {
    terminal.say('Hurrying …');
    void stack.stop('now');
  });
};

const progress = (terminal: Terminal) => {
  const shown = new Map<string, string>();
  return (component: ComponentStatus) => {
    const essence = `${component.state} ${component.reason}`;
    if (shown.get(component.name) === essence) return;
    shown.set(component.name, essence);
    const words = describeComponent(component);
    if (component.state !== 'failed') return terminal.say(words);
    terminal.complain([words, ...component.lastLines.map((line) => `    ${printable(line)}`)].join('\n'));
  };
};

const headlines: Partial<Record<string, string>> = {
  running: 'Castellan is running.',
  unlicensed:
    'Castellan is running, but there is no valid license. Activate one with: castellan license activate',
  failed:
    'Not all parts of Castellan are running. A port that is in use is taken as soon as it is free, and a full disk is used as soon as there is room. Correct anything else that is named above, then run: castellan restart',
};

const whereThingsAre = (stack: Stack): string => {
  const { state, apiUrl, home } = stack.status();
  return [
    headlines[state] ?? `Castellan is ${state}.`,
    `  panel  ${apiUrl} (also the address of the API)`,
    `  data   ${home} (settings in .env, logs in logs/)`,
    'Press Ctrl-C to stop it.',
  ].join('\n');
};
