import { posix, win32 } from 'node:path';
import * as z from 'zod';

/** Where the game server is and how it is started: set only on its machine, and by no frame. */
export interface ServerConfig {
  readonly folder: string;
  readonly start: ServerStart;
  readonly allow: {
    readonly power: boolean;
    readonly files: boolean;
    readonly mods: boolean;
    /** The panel may schedule backups of the worlds; absent: no. */
    readonly backups?: boolean | undefined;
  };
}

export type ServerStart =
  | {
      readonly by: 'holder';
      /** Program and arguments; no shell interprets them. */
      readonly command: readonly [string, ...string[]];
      /** Null: the agent's own account. */
      readonly account: string | null;
    }
  | { readonly by: 'systemd'; readonly unit: string }
  | { readonly by: 'windows-service'; readonly service: string }
  | { readonly by: 'none' };

/** What the section may contain on this machine. */
interface Machine {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
}

const thisMachine: Machine = { platform: process.platform, isRoot: process.getuid?.() === 0 };

const plainName = (what: string, example: string, pattern: RegExp) => {
  const message = `must be ${what}, such as "${example}"`;
  return z.string(message).regex(pattern, message);
};

const command = z
  .array(
    z
      .string('must be text in quotes')
      .refine((word) => !word.includes('\0'), 'contains a character that no program accepts'),
    'must be a list of texts: ["program", "first argument", …]; no shell reads it',
  )
  .min(1, 'is empty: name the program that starts the game')
  .refine(([program]) => program === undefined || program.trim() !== '', 'begins with an empty program')
  .transform((words) => words as [string, ...string[]]);

const linuxAccount = ({ platform, isRoot }: Machine) =>
  plainName('the name of an account', 'steam', /^[a-z_][a-z0-9_.-]*\$?$/i)
    .refine(
      () => platform === 'linux',
      'is for Linux only: leave it out; the game runs under the account of the agent',
    )
    .refine(
      () => platform !== 'linux' || isRoot,
      'needs an agent that runs as root: leave it out, or run the agent as root',
    );

const startForms = (machine: Machine) => {
  const { platform } = machine;
  const only = <Form extends z.ZodType>(form: Form, system: NodeJS.Platform, words: string) =>
    form.refine(() => platform === system, { error: words, path: ['by'] });
  return z.discriminatedUnion(
    'by',
    [
      z.strictObject({
        by: z.literal('holder'),
        command,
        account: linuxAccount(machine).optional(),
      }),
      only(
        z.strictObject({
          by: z.literal('systemd'),
          unit: plainName(
            'the name of a unit',
            'minecraft.service',
            /^[a-z0-9:_.\\@][a-z0-9:_.\\@-]*\.service$/i,
          ),
        }),
        'linux',
        'is "systemd", which this system does not have: choose "holder", "windows-service" or "none"',
      ),
      only(
        z.strictObject({
          by: z.literal('windows-service'),
          service: plainName('the name of a service', '7dtd', /^(?![-/])[^\\/"\p{Cc}]{1,256}$/u),
        }),
        'win32',
        'is "windows-service", which this system does not have: choose "holder", "systemd" or "none"',
      ),
      z.strictObject({ by: z.literal('none') }),
    ],
    'must be a group whose "by" is "holder", "systemd", "windows-service" or "none"',
  );
};

const isWholePath = (path: string, platform: NodeJS.Platform): boolean =>
  platform === 'win32' ? /^(?:[a-z]:[\\/]|\\\\[^\\])/i.test(path) : posix.isAbsolute(path);

const choice = z.boolean('must be true or false, without quotes');
const flag = choice.default(false);

/** @param machine whose rules apply; this one by default */
export const serverSection = (machine: Machine = thisMachine) =>
  z
    .strictObject(
      {
        folder: z
          .string("must be the path of the game server's folder, in quotes")
          .refine((path) => !path.includes('\0'), 'contains a character that no path can have')
          .refine(
            (path) => isWholePath(path, machine.platform),
            machine.platform === 'win32'
              ? 'must be a whole path, such as "D:\\\\Games\\\\ARK" or "\\\\\\\\nas\\\\games\\\\ark"'
              : 'must be a whole path, such as "/srv/games/ark"',
          ),
        start: startForms(machine).default({ by: 'none' }),
        allow: z
          .strictObject(
            { power: flag, files: flag, mods: flag, backups: choice.optional() },
            'must be a group: { "power": true, … }',
          )
          .default({ power: false, files: false, mods: false }),
      },
      'must be a group: { "folder": …, "start": …, "allow": … }',
    )
    .transform(
      ({ folder, start, allow }): ServerConfig => ({
        folder: (machine.platform === 'win32' ? win32 : posix).normalize(folder),
        start: start.by === 'holder' ? { ...start, account: start.account ?? null } : start,
        allow,
      }),
    );
