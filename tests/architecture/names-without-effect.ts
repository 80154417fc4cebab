import type { SourceUses } from './source-uses.ts';

/** The programs' sources by path from the repository root: no tests, and not the panel, which only shows or hides. */
export type Sources = ReadonlyMap<string, SourceUses>;

export interface DeclaredNames {
  readonly permissions: readonly string[];
  readonly problems: readonly string[];
  readonly events: readonly string[];
  readonly queues: readonly string[];
  /** As `section.field`. */
  readonly settings: readonly string[];
}

export type Category = keyof DeclaredNames | 'variables';

/** The schemas that name variables, and the programs that read the resulting configuration. */
const variableSchemas = [
  { schema: 'stackEnv', path: 'runtime/stack-config.ts', readers: /^(?:electron|runtime|server)\// },
  { schema: 'portalEnv', path: 'portal/config.ts', readers: /^portal\// },
  { schema: 'botEnv', path: 'bot/config.ts', readers: /^bot\// },
] as const;
type VariableSchema = (typeof variableSchemas)[number];
/** Passes the stack's variables on to the bot, which has an effect only if the bot reads them. */
const botHandOver = 'electron/stack/bot-env.ts';

/** By category, the declared names that nothing gates, throws, records, works or reads. */
export const namesWithoutEffect = (
  sources: Sources,
  declared: DeclaredNames,
): Readonly<Record<Category, readonly string[]>> => {
  const under = (folders: RegExp, except: RegExp): readonly SourceUses[] =>
    [...sources].flatMap(([path, uses]) => (folders.test(path) && !except.test(path) ? [uses] : []));
  const unnamed = (names: readonly string[], folders: RegExp, except: RegExp) => {
    const within = under(folders, except);
    return names.filter((name) => !within.some(({ texts }) => texts.has(name)));
  };
  const migrations = /^server\/database\/migrations\//;
  const readers = under(/^(?:server|bot)\//, migrations);
  return {
    permissions: unnamed(
      declared.permissions,
      /^(?:contracts|server)\//,
      /^contracts\/permissions\.ts$|^server\/database\/migrations\//,
    ),
    // OpenAPI only lists the possible problems.
    problems: unnamed(
      declared.problems,
      /^(?:agent|bot|electron|portal|runtime|server)\//,
      /^runtime\/http\/openapi\.ts$/,
    ),
    events: unnamed(declared.events, /^server\//, migrations),
    queues: unnamed(declared.queues, /^server\//, /^server\/queues\/queues\.ts$/),
    settings: declared.settings.filter((setting) => {
      const [section = '', field = ''] = setting.split('.');
      return !readers.some(
        ({ texts, reads }) =>
          texts.has(section) && (texts.has(field) || [...reads].some((read) => read.endsWith(`.${field}`))),
      );
    }),
    variables: variableSchemas.flatMap((schema) =>
      variablesIn(sources, schema).filter((variable) => !variableHasEffect(sources, schema, variable)),
    ),
  };
};

const variablesIn = (sources: Sources, { schema, path }: VariableSchema): readonly string[] =>
  sources.get(path)?.declared.get(schema) ?? [];

const keysReading = (source: SourceUses | undefined, read: string): readonly string[] =>
  [...(source?.keys ?? [])].flatMap(([key, reads]) => (reads.has(read) ? [key] : []));

/** A variable becomes a field of the configuration; another file has to read that field. */
const variableHasEffect = (sources: Sources, of: VariableSchema, variable: string): boolean => {
  const [, , ofBot] = variableSchemas;
  const handedOn = of.schema === 'stackEnv' ? sources.get(botHandOver) : undefined;
  return keysReading(sources.get(of.path), `env.${variable}`).some((field) => {
    const read = `config.${field}`;
    const isRead = [...sources].some(
      ([path, { reads }]) =>
        of.readers.test(path) && path !== of.path && path !== botHandOver && reads.has(read),
    );
    return isRead || keysReading(handedOn, read).some((name) => variablesIn(sources, ofBot).includes(name));
  });
};
