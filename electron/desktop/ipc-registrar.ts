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
} from '#contracts/desktop.ts';
import { desktopChannels } from '#contracts/desktop-channels.ts';
import { desktopOrigin } from '#contracts/tickets.ts';
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
 * The only place where a page's message is heard. It must come from the top frame of one of our own pages and have
 * the shape of the contract; what goes wrong comes back in words.
 */
export const bindDesktopCalls = (ipc: IpcMain, handlers: DesktopHandlers, log: Log): void =>
  ipc.handle(
    desktopChannels.call,
    async (event, name: unknown, input: unknown): Promise<DesktopAnswer<unknown>> => {
      const frame = event.senderFrame;
      if (!frame || frame.parent !== null || frame.origin !== desktopOrigin) {
        log.warn({ origin: frame?.origin }, 'a call that comes from none of our pages was refused');
        return { ok: false, message: 'Refused.' };
      }
      const known = desktopCallNames.find((candidate) => candidate === name);
      if (!known) return { ok: false, message: 'The desktop does not know this call.' };
      const checked = desktopCalls[known].input.safeParse(input);
      if (!checked.success) return { ok: false, message: 'The desktop does not understand this call.' };
      try {
        const handler = handlers[known] as (input: unknown) => unknown;
        return { ok: true, value: await handler(checked.data) };
      } catch (error) {
        if (!(error instanceof StartupError))
          log.error({ err: error, call: known }, 'a call of a page failed');
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
