import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { enrolmentCodePattern } from '#contracts/servers/agent-enrolment.ts';
import { printable } from '#runtime/printable.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { agentHome, isServerId } from '../configuration/agent-home.ts';
import { asOwnerOf } from '../configuration/as-owner.ts';
import { apiUrl, certificatePins } from '../configuration/config.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { AlreadyRunningError } from '../configuration/state-folder.ts';
import { type AfterEnrolment, afterEnrolment } from '../enrolment/after-enrolment.ts';
import { askEnrolment } from '../enrolment/ask-enrolment.ts';
import { isEnrolmentId, openEnrolmentDraft } from '../enrolment/enrolment-draft.ts';
import { freeServer } from '../enrolment/free-server.ts';
import { demandFreeFolder, demandWritableHome, installEnrolment } from '../enrolment/install-enrolment.ts';
import { moveIntoHome } from '../service/install-program.ts';
import { ServiceError } from '../service/service-error.ts';
import type { Action, ActionContext } from './action.ts';

const codeVariable = 'CASTELLAN_ENROLMENT_CODE';

const usage =
  '--api <url> --enrolment <id> [--server <id>] [--pin <key>] [--home <folder>] [--into-home] [--foreground | --no-start]';

interface Wanted {
  readonly api: URL;
  readonly enrolment: string;
  /** Null in command lines of older versions: an agent in the server's folder is then found only after the code is used. */
  readonly serverId: string | null;
  /** Pins of the API's certificate. */
  readonly pins: readonly string[];
  readonly home: string | null;
  /** This program was downloaded only for this enrolment, and moves into the data folder with it. */
  readonly intoHome: boolean;
  readonly next: AfterEnrolment;
}

const readWanted = (args: readonly string[]): Wanted | null => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        api: { type: 'string' },
        enrolment: { type: 'string' },
        server: { type: 'string' },
        pin: { type: 'string', multiple: true, default: [] },
        home: { type: 'string' },
        'into-home': { type: 'boolean', default: false },
        foreground: { type: 'boolean' },
        'no-start': { type: 'boolean' },
      },
    });
    const api = apiUrl.safeParse(values.api);
    const pins = certificatePins.safeParse(values.pin);
    if (!api.success || !pins.success || !isEnrolmentId(values.enrolment ?? '')) return null;
    if (values.server !== undefined && !isServerId(values.server)) return null;
    return {
      api: api.data,
      enrolment: values.enrolment ?? '',
      serverId: values.server ?? null,
      pins: pins.data,
      home: values.home ?? null,
      intoHome: values['into-home'],
      next: values['no-start'] ? 'stop' : values.foreground ? 'foreground' : 'service',
    };
  } catch {
    // The parser's message would repeat the arguments, and someone may have put the code there by mistake.
    return null;
  }
};

/** From the environment, from which it is removed immediately so that no child process gets it; else from a line of input. */
const readCode = async ({ environment, say }: ActionContext): Promise<Secret | null> => {
  let given = environment[codeVariable];
  delete environment[codeVariable];
  if (given === undefined) {
    if (process.stdin.isTTY) say('Code from the panel: ');
    const lines = createInterface({ input: process.stdin });
    for await (const line of lines) {
      given = line;
      break;
    }
    lines.close();
  }
  // What else comes with a paste: quotes, blanks, invisible characters, hyphens of a word processor.
  const code = (given ?? '')
    .normalize('NFKC')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[^\w-]/g, '');
  return enrolmentCodePattern.test(code) ? new Secret(code) : null;
};

const enrol = async (wanted: Wanted, code: Secret, context: ActionContext): Promise<number> => {
  const { say, complain } = context;
  const home = agentHome(wanted.home, context.environment);
  const { serverId } = wanted;
  // In the foreground this process becomes the agent, and no service takes over after it.
  if (serverId !== null && wanted.next === 'foreground') await demandFreeFolder(home, serverId);
  await using _paused =
    serverId !== null && wanted.next !== 'foreground' ? await freeServer({ home, serverId, say }) : null;
  // The data folder of an installed agent belongs to its account, even when root enrols one more server.
  const inHome = <Result>(work: () => Promise<Result>) => asOwnerOf(home.folder, work);
  const draft = await inHome(() => openEnrolmentDraft(home.folder, wanted.enrolment));
  await inHome(() => demandWritableHome(home));
  say(`Asking Castellan at ${wanted.api.href} …\n`);
  const asked = await askEnrolment({
    apiUrl: wanted.api,
    pins: wanted.pins,
    code,
    draft,
    onRetry: (why) => say(`${printable(why)} Trying again …\n`),
  });
  if ('fault' in asked) {
    if (asked.isFinal) await inHome(draft.delete);
    const isHere = serverId !== null && existsSync(home.configPath(serverId));
    complain(
      asked.isUsed && isHere
        ? `${asked.fault} An agent for this server is already set up here. If you pasted the line twice, all is well.`
        : asked.fault,
    );
    return exitCodes.failure;
  }
  const api = { url: wanted.api, pins: wanted.pins };
  const installed = await inHome(() => installEnrolment({ home, api, enrolled: asked, draft }));
  say(`Enrolled for the server "${printable(asked.answer.serverName)}".\n`);
  say(`The configuration is ${installed.configPath}\n`);
  if (wanted.intoHome) await moveIntoHome(home);
  return afterEnrolment(
    { home, enrolled: asked.answer, configPath: installed.configPath, next: wanted.next },
    context,
  );
};

export const enrolAction: Action = {
  usage,
  summary: `become the agent of a server with the code from the panel, in ${codeVariable} or on stdin`,
  async run(args, context) {
    const wanted = readWanted(args);
    if (!wanted) {
      context.complain(`These arguments are wrong. Usage: enrol ${usage}`);
      return exitCodes.usage;
    }
    const code = await readCode(context);
    if (!code) {
      context.complain(
        `The code is missing or incomplete. Copy the line from the panel again, or set ${codeVariable}.`,
      );
      return exitCodes.usage;
    }
    try {
      return await enrol(wanted, code, context);
    } catch (error) {
      if (error instanceof AlreadyRunningError) {
        context.complain(
          `${error.message} Stop it, then paste the line again. The code stays valid. Stop a service with: castellan-agent stop`,
        );
        return exitCodes.alreadyRunning;
      }
      const { code: reason, path, message } = error as NodeJS.ErrnoException;
      if (error instanceof StartupError || error instanceof ServiceError) context.complain(message);
      else if (reason !== undefined)
        context.complain(
          `The folder of the agent cannot be written to (${reason}${path ? `, ${path}` : ''}). Choose another one with --home.`,
        );
      else throw error;
      return exitCodes.failure;
    }
  },
};
