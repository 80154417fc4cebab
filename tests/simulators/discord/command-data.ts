import type { Command, Guild } from './state.ts';

export type OptionValue = string | number | boolean;

interface Option {
  readonly type: number;
  readonly name: string;
  readonly required?: boolean;
  readonly options?: readonly Option[];
  readonly choices?: readonly { readonly value: string | number }[];
  readonly autocomplete?: boolean;
  readonly min_value?: number;
  readonly max_value?: number;
  readonly min_length?: number;
  readonly max_length?: number;
}

const optionType = {
  subcommand: 1,
  subcommandGroup: 2,
  string: 3,
  integer: 4,
  boolean: 5,
  user: 6,
  channel: 7,
  role: 8,
  mentionable: 9,
  number: 10,
} as const;

/** Why Discord's own client would not let a person send this value. Choices of autocomplete are not enforced. */
const objection = (option: Option, value: OptionValue): string | null => {
  const isNumber = option.type === optionType.integer || option.type === optionType.number;
  const wanted = isNumber ? 'number' : option.type === optionType.boolean ? 'boolean' : 'string';
  if (typeof value !== wanted) return `must be a ${wanted}`;
  if (option.type === optionType.integer && !Number.isInteger(value)) return 'must be whole';
  const size = typeof value === 'string' ? value.length : Number(value);
  const [least, most] = isNumber
    ? [option.min_value, option.max_value]
    : [option.min_length, option.max_length];
  if (size < (least ?? size) || size > (most ?? size)) return `must be from ${least} to ${most}`;
  if (option.choices?.length && !option.choices.some((choice) => choice.value === value))
    return 'must be one of the choices';
  return null;
};

/**
 * The data of a command's interaction; subcommands follow the name after a space.
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-application-command-data-structure
 */
export const commandData = (
  command: Command,
  name: string,
  values: Readonly<Record<string, OptionValue>>,
  guild: Guild,
  focused?: string,
) => {
  const [, ...path] = name.split(' ');
  let declared = (command.options ?? []) as readonly Option[];
  const steps: Option[] = [];
  for (const step of path) {
    const next = declared.find((option) => option.name === step && option.type <= optionType.subcommandGroup);
    if (!next) throw new Error(`/${name} is not registered`);
    steps.push(next);
    declared = next.options ?? [];
  }
  if (declared.some(({ type }) => type <= optionType.subcommandGroup))
    throw new Error(`/${name} needs a subcommand`);
  const unknown = Object.keys(values).find((key) => !declared.some((option) => option.name === key));
  if (unknown !== undefined) throw new Error(`/${name} has no option ${unknown}`);
  const resolved = new Map<string, Record<string, object>>();
  const given = declared.flatMap((option) => {
    const value = values[option.name];
    if (value === undefined) {
      if (option.required && focused === undefined)
        throw new Error(`/${name} needs the option ${option.name}`);
      return [];
    }
    const isFocused = option.name === focused;
    // An option that is still being typed may have any value.
    const wrong = isFocused ? null : objection(option, value);
    if (wrong) throw new Error(`the option ${option.name} of /${name} ${wrong}`);
    resolve(option.type, String(value), guild, resolved);
    return [{ type: option.type, name: option.name, value, ...(isFocused && { focused: true }) }];
  });
  const options = steps.reduceRight<object[]>(
    (inner, { type, name: step }) => [{ type, name: step, options: inner }],
    given,
  );
  return {
    id: command.id,
    name: command.name,
    type: command.type,
    guild_id: guild.id,
    ...(options.length > 0 && { options }),
    ...(resolved.size > 0 && { resolved: Object.fromEntries(resolved) }),
  };
};

const resolve = (type: number, id: string, guild: Guild, resolved: Map<string, Record<string, object>>) => {
  const put = (kind: string, value: object) => resolved.set(kind, { ...resolved.get(kind), [id]: value });
  const member = guild.members.get(id);
  const role = guild.roles.get(id);
  const channel = guild.channels.get(id);
  if ((type === optionType.user || type === optionType.mentionable) && member) {
    const { user, nick, roles, joinedAt } = member;
    put('users', user);
    put('members', {
      nick,
      roles,
      joined_at: joinedAt,
      permissions: '0',
      flags: 0,
      pending: false,
      avatar: null,
    });
  }
  if ((type === optionType.role || type === optionType.mentionable) && role) put('roles', role);
  if (type === optionType.channel && channel)
    put('channels', { id, name: channel.name, type: channel.type, permissions: '0' });
};
