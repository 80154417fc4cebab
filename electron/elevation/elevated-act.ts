import { win32 } from 'node:path';
import * as z from 'zod';
import { servicesActions } from '#contracts/desktop/desktop-services.ts';
import { componentNames } from '#contracts/operations/stack.ts';
import { releaseVersionPattern } from '#runtime/release/version-order.ts';
import { wireNamePattern } from '../services/desktop-wire.ts';

const longestPath = 1000;
/** More rules than any installation leaves behind. */
const mostPorts = 20;

/** No path of Windows contains quotes or control characters, and a command line must not. */
const path = z
  .string()
  .max(longestPath)
  .refine((text) => win32.isAbsolute(text) && !/["\p{Cc}]/u.test(text));
const port = z.int().min(1).max(65_535);

/** All acts that ever run with an administrator's rights. Nothing in it is secret: others can read a command line. */
const elevatedAct = z.discriminatedUnion('act', [
  z.strictObject({
    act: z.literal('services'),
    change: z.enum(servicesActions),
    home: path,
    /** The pipe of the desktop that asks: decision 0025. */
    wire: z.string().regex(wireNamePattern),
    /** The account that the desktop runs under, in words. */
    user: z
      .string()
      .min(1)
      .max(256)
      .regex(/^[^"\p{Cc}]+$/u),
    component: z.enum(componentNames).optional(),
  }),
  z.strictObject({
    act: z.literal('firewall'),
    open: port.nullable(),
    close: z.array(port).max(mostPorts),
  }),
  z.strictObject({
    act: z.literal('update'),
    /** Holds the installer and its signed release. */
    folder: path,
    version: z.string().regex(releaseVersionPattern),
  }),
]);
export type ElevatedAct = z.infer<typeof elevatedAct>;

const flag = '--elevated=';

/** The arguments that start the product's program for this act. */
export const elevatedArguments = (act: ElevatedAct): readonly string[] => {
  switch (act.act) {
    case 'services': {
      const { change, home, wire, user, component } = act;
      const args = [`--change=${change}`, `--home=${home}`, `--wire=${wire}`, `--user=${user}`];
      return [`${flag}services`, ...args, ...(component ? [`--component=${component}`] : [])];
    }
    case 'firewall': {
      const open = act.open === null ? [] : [`--open=${act.open}`];
      const close = act.close.length > 0 ? [`--close=${act.close.join(',')}`] : [];
      return [`${flag}firewall`, ...open, ...close];
    }
    case 'update':
      return [`${flag}update`, `--folder=${act.folder}`, `--version=${act.version}`];
  }
};

/** Accepts numbers only as `elevatedArguments` writes them. */
const number = (text: string): number => (/^[1-9]\d*$/.test(text) ? Number(text) : Number.NaN);

/**
 * The act that a program was started for: `none` where the arguments ask for no act, `refused` where they do, but are not
 * exactly those of one of our acts. Each name must occur once, and no name that the act does not have.
 */
export const readElevatedArguments = (args: readonly string[]): ElevatedAct | 'none' | 'refused' => {
  if (!args.some((arg) => arg.startsWith(flag))) return 'none';
  const given = new Map<string, string>();
  for (const arg of args) {
    const [, name, value] = /^--([a-z]+)=(.*)$/su.exec(arg) ?? [];
    if (name === undefined || value === undefined || given.has(name)) return 'refused';
    given.set(name, value);
  }
  const { elevated: act, open, close, ...texts } = Object.fromEntries(given);
  const ports =
    act === 'firewall'
      ? { open: open === undefined ? null : number(open), close: close?.split(',').map(number) ?? [] }
      : { ...(open !== undefined && { open }), ...(close !== undefined && { close }) };
  const read = elevatedAct.safeParse({ act, ...ports, ...texts });
  return read.success ? read.data : 'refused';
};
