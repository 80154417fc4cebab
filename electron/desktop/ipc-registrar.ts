import type { IpcMain, WebContents } from 'electron';
import type * as z from 'zod';
import {
  type DesktopAnswer,
  type DesktopCallName,
  type DesktopEvent,
  type DesktopEventName,
  type DesktopOutput,
  desktopCallNames,
  desktopCalls,
} from '#contracts/desktop/desktop.ts';
import { desktopChannels } from '#contracts/desktop/desktop-channels.ts';
import { desktopOrigin } from '#contracts/identity/tickets.ts';
import type { Log } from '#runtime/log.ts';
import { StartupError } from '#runtime/program.ts';

type CheckedInput<Name extends DesktopCallName> = z.output<(typeof desktopCalls)[Name]['input']>;

/** One handler for each call of the contract; the compiler demands them all. */
export type DesktopHandlers = {
  readonly [Name in DesktopCallName]: (
    input: CheckedInput<Name>,
  ) => Promise<DesktopOutput<Name>> | DesktopOutput<Name>;
};

/**
 * The only place that receives messages from pages. A message must come from the top frame of one of our own pages and have
 * the shape of the contract; errors are returned as words.
 */
export const bindDesktopCalls = (ipc: IpcMain, handlers: DesktopHandlers, log: Log): void =>
  ipc.handle(
    desktopChannels.call,
    async (event, name: unknown, input: unknown): Promise<DesktopAnswer<unknown>> => {
      const frame = event.senderFrame;
      if (!frame || frame.parent !== null || frame.origin !== desktopOrigin) {
        log.warn({ origin: frame?.origin }, 'refused a call from a foreign page');
        return { ok: false, message: 'This page may not control the desktop.' };
      }
      const known = desktopCallNames.find((candidate) => candidate === name);
      if (!known) return { ok: false, message: 'The desktop does not know this action. Restart Castellan.' };
      const checked = desktopCalls[known].input.safeParse(input);
      if (!checked.success)
        return { ok: false, message: 'The desktop does not understand this action. Restart Castellan.' };
      try {
        const handler = handlers[known] as (input: unknown) => unknown;
        return { ok: true, value: await handler(checked.data) };
      } catch (error) {
        if (!(error instanceof StartupError))
          log.error({ err: error, call: known }, 'a call from a page failed');
        return { ok: false, message: (error as Error).message };
      }
    },
  );

export const unbindDesktopCalls = (ipc: IpcMain): void => ipc.removeHandler(desktopChannels.call);

export type TellPage = <Name extends DesktopEventName>(name: Name, event: DesktopEvent<Name>) => void;

export const tellPage = <Name extends DesktopEventName>(
  page: WebContents,
  name: Name,
  event: DesktopEvent<Name>,
): void => page.send(desktopChannels.event, name, event);
