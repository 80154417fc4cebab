import type { Context } from '../context.ts';
import { type FormFault, invalidForm, problem } from '../problems.ts';
import type { Command } from '../state.ts';
import { type Call, param, type Route } from './route.ts';

const mostOfKind: Readonly<Record<number, number>> = { 1: 100, 2: 15, 3: 15 };
const createsPerDay = 200;
const mostCharacters = 8000;

type Raw = Partial<Omit<Command, 'options'>> & { readonly options?: readonly RawOption[] };
interface RawOption {
  readonly type: number;
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  readonly options?: readonly RawOption[];
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
}

/** https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming */
const chatInputName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

const badLength = (path: FormFault['path'], text: unknown, most: number): FormFault[] =>
  typeof text === 'string' && [...text].length >= 1 && [...text].length <= most
    ? []
    : [{ path, code: 'BASE_TYPE_BAD_LENGTH', message: `Must be between 1 and ${most} in length.` }];

const nameFaults = (path: FormFault['path'], name: string | undefined): FormFault[] =>
  name !== undefined && chatInputName.test(name) && name === name.toLowerCase()
    ? []
    : [{ path, code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' }];

const localizationFaults = (
  path: FormFault['path'],
  names: Readonly<Record<string, string | null>> | null | undefined,
  check: (path: FormFault['path'], text: string) => FormFault[],
): FormFault[] =>
  Object.entries(names ?? {}).flatMap(([locale, text]) =>
    text === null ? [] : check([...path, locale], text),
  );

const optionFaults = (path: FormFault['path'], options: readonly RawOption[] = []): FormFault[] => {
  const faults: FormFault[] = [];
  if (options.length > 25) faults.push(...badLength(path, '', 25));
  let wasOptional = false;
  for (const [index, option] of options.entries()) {
    const at = [...path, index];
    faults.push(...nameFaults([...at, 'name'], option.name));
    faults.push(...badLength([...at, 'description'], option.description, 100));
    if (option.required && wasOptional) {
      const message = 'Required options must be placed before non-required options';
      faults.push({ path: at, code: 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', message });
    }
    if (options.findIndex(({ name }) => name === option.name) !== index) {
      const message = 'Option name has already been used';
      faults.push({ path: at, code: 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS', message });
    }
    if ((option.choices?.length ?? 0) > 25) faults.push(...badLength([...at, 'choices'], '', 25));
    wasOptional ||= option.type > 2 && !option.required;
    faults.push(...optionFaults([...at, 'options'], option.options));
  }
  return faults;
};

const faultsOf = (commands: readonly Raw[]): FormFault[] =>
  commands.flatMap((command, index) => {
    const isChatInput = (command.type ?? 1) === 1;
    const checkName = isChatInput
      ? nameFaults
      : (path: FormFault['path'], name = '') => badLength(path, name, 32);
    const faults = [
      ...checkName([index, 'name'], command.name),
      ...localizationFaults([index, 'name_localizations'], command.name_localizations, checkName),
      ...(isChatInput ? badLength([index, 'description'], command.description, 100) : []),
      ...localizationFaults(
        [index, 'description_localizations'],
        command.description_localizations,
        (path, text) => badLength(path, text, 100),
      ),
      ...optionFaults([index, 'options'], command.options),
    ];
    const twin = commands.findIndex(
      ({ name, type = 1 }) => name === command.name && type === (command.type ?? 1),
    );
    if (twin !== index) {
      const message = 'Application command names must be unique';
      faults.push({ path: [index], code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message });
    }
    if (charactersOf(command) > mostCharacters) {
      const message = `Command exceeds maximum size (${mostCharacters})`;
      faults.push({ path: [index], code: 'APPLICATION_COMMAND_TOO_LARGE', message });
    }
    return faults;
  });

/** Counts names, descriptions and values, with the longest localization of each. */
const charactersOf = ({ name = '', description = '', options = [] }: Raw | RawOption): number =>
  name.length +
  description.length +
  options.reduce(
    (sum, option) =>
      sum +
      charactersOf(option) +
      (option.choices ?? []).reduce(
        (all, choice) => all + choice.name.length + String(choice.value).length,
        0,
      ),
    0,
  );

const complete = (
  context: Context,
  raw: Raw,
  guildId: string | undefined,
  known: Command | undefined,
): Command => {
  const { application } = context.state;
  const command = {
    id: known?.id ?? context.nextId(),
    application_id: application.id,
    ...(guildId !== undefined && { guild_id: guildId }),
    type: raw.type ?? 1,
    name: raw.name ?? '',
    name_localizations: raw.name_localizations ?? null,
    description: raw.description ?? '',
    description_localizations: raw.description_localizations ?? null,
    ...(raw.options?.length && { options: raw.options as unknown as NonNullable<Command['options']> }),
    default_member_permissions: raw.default_member_permissions ?? null,
    dm_permission: raw.dm_permission ?? true,
    contexts: raw.contexts ?? null,
    integration_types: raw.integration_types ?? [0],
    nsfw: raw.nsfw ?? false,
    version: known?.version ?? '',
  };
  const isSame = known !== undefined && JSON.stringify(known) === JSON.stringify(command);
  return isSame ? known : { ...command, version: context.nextId() };
};

const scopeOf = (call: Call): { scope: string; guildId: string | undefined } => {
  const { state } = call.context;
  if (param(call, 'application') !== state.application.id) throw problem('unknownApplication');
  const guildId = call.params.guild;
  // A guild without the app looks like one that does not exist.
  if (guildId !== undefined && !state.guilds.get(guildId)?.members.has(state.application.id))
    throw problem('missingAccess');
  return { scope: guildId ?? 'global', guildId };
};

/** When commands were created, by scope. */
const createdAt = new WeakMap<Context, Map<string, number[]>>();
const dayMs = 24 * 3_600_000;

const countCreates = (context: Context, scope: string, count: number): void => {
  const scopes = createdAt.get(context) ?? new Map<string, number[]>();
  createdAt.set(context, scopes);
  const recent = (scopes.get(scope) ?? []).filter((at) => at > context.now() - dayMs);
  if (recent.length + count > createsPerDay) throw problem('tooManyCommandCreates');
  scopes.set(scope, [...recent, ...Array<number>(count).fill(context.now())]);
};

/** https://docs.discord.com/developers/interactions/application-commands#bulk-overwrite-guild-application-commands */
const overwrite = (call: Call) => {
  const { context } = call;
  const { scope, guildId } = scopeOf(call);
  const raw = call.body as readonly Raw[];
  for (const [type, most] of Object.entries(mostOfKind))
    if (raw.filter((one) => (one.type ?? 1) === Number(type)).length > most) throw problem('tooManyCommands');
  const faults = faultsOf(raw);
  if (faults.length > 0) throw invalidForm(faults);
  const known = context.state.commands.get(scope) ?? [];
  const twinOf = ({ name, type = 1 }: Raw) => known.find((one) => one.name === name && one.type === type);
  countCreates(context, scope, raw.filter((one) => !twinOf(one)).length);
  const commands = raw.map((one) => complete(context, one, guildId, twinOf(one)));
  context.state.commands.set(scope, commands);
  context.changes.emit('change');
  return commands;
};

/** Without with_localizations=true, localizations are omitted. */
const list = (call: Call) => {
  const commands = call.context.state.commands.get(scopeOf(call).scope) ?? [];
  if (call.query.get('with_localizations') === 'true') return commands;
  return commands.map(
    ({ name_localizations: _names, description_localizations: _texts, ...command }) => command,
  );
};

const remove = (call: Call) => {
  const { scope } = scopeOf(call);
  const known = call.context.state.commands.get(scope) ?? [];
  const left = known.filter(({ id }) => id !== param(call, 'command'));
  if (left.length === known.length) throw problem('unknownCommand');
  call.context.state.commands.set(scope, left);
  return null;
};

export const commandRoutes: readonly Route[] = [
  '/applications/:application/commands',
  '/applications/:application/guilds/:guild/commands',
].flatMap((path): Route[] => [
  { method: 'GET', path, bucket: 'list-commands', handle: list },
  { method: 'PUT', path, bucket: 'commands', handle: overwrite },
  { method: 'DELETE', path: `${path}/:command`, bucket: 'commands', handle: remove },
]);
