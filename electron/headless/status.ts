import type { LicenseStatus } from '#contracts/license/license-state.ts';
import { healthReasons } from '#contracts/operations/health-reasons.ts';
import { type ComponentStatus, type StackStatus, stackControl } from '#contracts/operations/stack.ts';
import { hasFullDisk } from '#runtime/disk-space.ts';
import { readFreezeNote } from '#runtime/guardian/freeze-note.ts';
import { printable, printableLines } from '#runtime/printable.ts';
import { callSupervisor } from '../control/control-client.ts';
import { readStartRefusal } from '../control/start-refusal.ts';
import type { CommandContext, JsonOption } from './command-context.ts';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import { openClient } from './license.ts';
import { notSupervised } from './not-supervised.ts';

/** `castellan status` */
export const status = async ({ home, terminal }: CommandContext, { json }: JsonOption): Promise<void> => {
  const stack = await callSupervisor(home, stackControl.status);
  if (!stack) throw await whyNotRunning(home);
  const license = await knownLicense(home);
  terminal.say(json ? JSON.stringify({ ...stack, license }, null, 2) : describeStack(stack, license));
  // The supervisors of these services have no control channel; that of the API has just answered.
  for (const service of ['postgres', 'bot']) {
    const note = await readFreezeNote(home, `service-${service}`);
    if (note !== null)
      terminal.complain(
        `The supervisor of the ${service} service (process ${note.pid}) has not reacted since ${note.since}.`,
      );
  }
};

const whyNotRunning = async (home: string): Promise<CommandFailure> => {
  const failure = await notSupervised(home);
  const refusals = await Promise.all(
    ([undefined, 'postgres', 'bot'] as const).map(async (service) => {
      const refusal = await readStartRefusal(home, service);
      const what = service === undefined ? 'The last start' : `The last start of the ${service} service`;
      return refusal === null
        ? []
        : `${what} (by ${refusal.heldBy}, ${refusal.refusedAt}) was refused:\n${indented(refusal.reason)}`;
    }),
  );
  const why = [
    ...refusals.flat(),
    ...((await hasFullDisk(home)) ? [`The disk of ${home} is full. ${healthReasons['disk-full']}`] : []),
  ];
  return new CommandFailure([failure.message, ...why].join('\n'), exitCodes.holder);
};

const indented = (text: string): string => printableLines(text).replace(/^/gm, '  ');

const describeStack = (stack: StackStatus, license: LicenseStatus | null): string =>
  [
    `Castellan is ${stack.state}`,
    ...stack.components.flatMap((component) => [
      `  ${describeComponent(component)}`,
      ...component.lastLines.map((line) => `      ${printable(line)}`),
    ]),
    ...(license ? [`  license  ${license.state}: ${printable(license.detail)}`] : []),
    `  API      ${stack.apiUrl}`,
    `  data     ${stack.home}, run by ${stack.heldBy} (pid ${stack.pid})`,
  ].join('\n');

export const describeComponent = ({ name, state, reason, pid, port, restarts }: ComponentStatus): string => {
  const facts = [
    pid === null ? null : `pid ${pid}`,
    pid === null || port === null ? null : `port ${port}`,
    restarts === 0 ? null : `restarts ${restarts}`,
  ].filter((fact) => fact !== null);
  const inBrackets = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return `${name.padEnd(8)}  ${state}${inBrackets}${reason === null ? '' : `: ${printable(reason)}`}`;
};

/** What license.json says; null where it is unknown. */
const knownLicense = async (home: string): Promise<LicenseStatus | null> => {
  try {
    await using client = await openClient(home);
    return client.status();
  } catch {
    // The `.env` was damaged since the stack was started; its next start says so.
    return null;
  }
};
