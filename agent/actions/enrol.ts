import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { enrolmentCodePattern } from '#contracts/agent-enrolment.ts';
import { printable } from '#runtime/printable.ts';
import { StartupError } from '#runtime/program.ts';
import { Secret } from '#runtime/secret.ts';
import { agentHome } from '../configuration/agent-home.ts';
import { apiUrl } from '../configuration/config.ts';
import { exitCodes } from '../configuration/exit-codes.ts';
import { AlreadyRunningError } from '../configuration/state-folder.ts';
import { type AfterEnrolment, afterEnrolment } from '../enrolment/after-enrolment.ts';
import { askEnrolment } from '../enrolment/ask-enrolment.ts';
import { isEnrolmentId, openEnrolmentDraft } from '../enrolment/enrolment-draft.ts';
import { installEnrolment } from '../enrolment/install-enrolment.ts';
import type { Action, ActionContext } from './action.ts';

export const codeVariable = 'CASTELLAN_ENROLMENT_CODE';

const usage = '--api <url> --enrolment <id> [--home <folder>] [--foreground | --no-start]';

interface Wanted {
  readonly api: URL;
  readonly enrolment: string;
  readonly home: string | null;
  readonly then: AfterEnrolment;
}

const readWanted = (args: readonly string[]): Wanted | null => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        api: { type: 'string' },
        enrolment: { type: 'string' },
        home: { type: 'string' },
        foreground: { type: 'boolean' },
        'no-start': { type: 'boolean' },
      },
    });
    const api = apiUrl.safeParse(values.api);
    if (!api.success || !isEnrolmentId(values.enrolment ?? '')) return null;
    return {
      api: api.data,
      enrolment: values.enrolment ?? '',
      home: values.home ?? null,
      then: values['no-start'] ? 'stop' : values.foreground ? 'foreground' : 'service',
    };
  } catch {
    // What the parser says would repeat the arguments, and somebody may have put the code there.
    return null;
  }
};

/** From the environment, from which it goes at once, so that no program started from here gets it; else a line of input. */
const readCode = async ({ environment, say }: ActionContext): Promise<Secret | null> => {
  let given = environment[codeVariable];
  delete environment[codeVariable];
  if (given === undefined) {
    if (process.stdin.isTTY) say('The code, as the panel shows it: ');
    const lines = createInterface({ input: process.stdin });
    for await (const line of lines) {
      given = line;
      break;
    }
    lines.close();
  }
  const code = given?.trim() ?? '';
  return enrolmentCodePattern.test(code) ? new Secret(code) : null;
};

const enrol = async (wanted: Wanted, code: Secret, context: ActionContext): Promise<number> => {
  const { say, complain } = context;
  const home = agentHome(wanted.home, context.environment);
  const draft = await openEnrolmentDraft(home.folder, wanted.enrolment);
  say(`Asking Castellan at ${wanted.api.href} …\n`);
  const asked = await askEnrolment({
    apiUrl: wanted.api,
    code,
    draft,
    onRetry: (why) => say(`${printable(why)} Trying again …\n`),
  });
  if ('fault' in asked) {
    if (asked.isFinal) await draft.delete();
    complain(asked.fault);
    return exitCodes.failure;
  }
  const installed = await installEnrolment(home, wanted.api, asked, draft);
  say(`Enrolled for the server "${printable(asked.answer.serverName)}".\n`);
  say(`The configuration is ${installed.configPath}\n`);
  return afterEnrolment(
    { home, enrolled: asked.answer, configPath: installed.configPath, then: wanted.then },
    context,
  );
};

export const enrolAction: Action = {
  usage,
  summary: `become the agent of a server, by the code that the panel shows: in ${codeVariable}, or a line of input`,
  async run(args, context) {
    const wanted = readWanted(args);
    if (!wanted) {
      context.complain(`These arguments are not understood. Usage: enrol ${usage}`);
      return exitCodes.usage;
    }
    const code = await readCode(context);
    if (!code) {
      context.complain(
        `There is no code, or it is not whole. Put it into ${codeVariable}, or copy the line from the panel again.`,
      );
      return exitCodes.usage;
    }
    try {
      return await enrol(wanted, code, context);
    } catch (error) {
      if (error instanceof AlreadyRunningError) {
        context.complain(
          `${error.message} Stop it, then paste the line again; the code stays good for it. A service is stopped by: castellan-agent stop`,
        );
        return exitCodes.alreadyRunning;
      }
      const { code: reason, path, message } = error as NodeJS.ErrnoException;
      if (error instanceof StartupError) context.complain(message);
      else if (reason !== undefined)
        context.complain(
          `The folder of the agent cannot be written (${reason}${path ? `, ${path}` : ''}). Choose another one with --home.`,
        );
      else throw error;
      return exitCodes.failure;
    }
  },
};
