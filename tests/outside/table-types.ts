import type pg from 'pg';

/**
 * A database's tables as types for Kysely, from Postgres' catalogs. A check that lists a column's values makes it a union. What no
 * catalog knows stands in the part's column-types.ts, which may only narrow it; comments stay as they are in the former file.
 */
export const tableTypes = async (
  pool: pg.Pool,
  { name, former, columnTypes }: TableTypesOptions,
): Promise<string> => {
  const { rows } = await pool.query<Column>(columns);
  const overridden = new Set(Array.from(columnTypes.matchAll(/^ {2}'(\w+\.\w+)':/gm), ([, key]) => key));
  const comments = commentsOf(former);
  const tables = Map.groupBy(rows, ({ table }) => table);
  const interfaces = [...tables].map(([table, of]) => {
    const lines = of.flatMap((column) => [
      ...(comments.get(`${interfaceName(table)}.${column.name}`) ?? []),
      `  ${column.name}: ${typeOf(column, overridden.delete(`${table}.${column.name}`))};`,
    ]);
    return [
      ...(comments.get(interfaceName(table)) ?? []),
      `export interface ${interfaceName(table)} {`,
      ...lines,
      '}',
    ];
  });
  if (overridden.size > 0)
    throw new Error(`No such column: ${[...overridden].join(', ')}. Remove it from column-types.ts.`);
  return [
    `import type { Generated, GeneratedAlways } from 'kysely';
import type { Narrowed } from '#runtime/database/narrowed.ts';
import type { ColumnTypes } from './column-types.ts';
`,
    ...interfaces.map((lines) => `${lines.join('\n')}\n`),
    [
      `export interface ${name} {`,
      ...[...tables.keys()].map((table) => `  ${table}: ${interfaceName(table)};`),
      '}\n',
    ].join('\n'),
  ].join('\n');
};

interface TableTypesOptions {
  /** Of the type that has all tables. */
  readonly name: string;
  readonly former: string;
  /** The source of column-types.ts. */
  readonly columnTypes: string;
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isArray: boolean;
  readonly isNullable: boolean;
  readonly written: 'by-hand' | 'by-default' | 'by-database';
  /** The literals of its check, as SQL; null: any value. */
  readonly values: readonly string[] | null;
}

const columns = `
  select class.relname as "table", attname as name, coalesce(element.typname, type.typname) as type,
    element.oid is not null as "isArray", not attnotnull as "isNullable",
    case when attidentity = 'a' or attgenerated <> '' then 'by-database' when atthasdef or attidentity <> '' then 'by-default'
      else 'by-hand' end as written,
    (select array_agg(literal[1]) from pg_constraint,
      regexp_match(pg_get_constraintdef(oid), format('^CHECK \\(\\(%s = (?:ANY \\(ARRAY\\[(.*)\\]\\)|(''[^'']*''::text))\\)\\)$', attname)) as found,
      regexp_matches(concat(found[1], found[2]), '(''[^'']*'')::text', 'g') as literal
      where conrelid = class.oid and contype = 'c' and conkey = array[attnum]) as values
  from pg_class as class join pg_attribute on attrelid = class.oid and attnum > 0 and not attisdropped
  join pg_type as type on type.oid = atttypid left join pg_type as element on element.typarray = type.oid
  where class.relkind in ('r', 'p') and class.relnamespace = 'public'::regnamespace and class.relname not like 'schema_migrations%'
  order by class.relname collate "C", attnum`;

/** As the driver reads them. */
const valueTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  float4: 'number',
  float8: 'number',
  int2: 'number',
  int4: 'number',
  int8: 'string',
  jsonb: 'unknown',
  text: 'string',
  timestamptz: 'Date',
  tstzmultirange: 'string',
  uuid: 'string',
  varchar: 'string',
  xid8: 'string',
};

const typeOf = (column: Column, isOverridden: boolean): string => {
  const key = `${column.table}.${column.name}`;
  const value = column.values?.join(' | ') ?? valueTypes[column.type];
  if (value === undefined) throw new Error(`${key}: say in table-types.ts what a ${column.type} is.`);
  if (value === 'unknown' && !isOverridden)
    throw new Error(`${key}: say in column-types.ts what its JSON is.`);
  const values = `${value}${column.isArray ? '[]' : ''}${column.isNullable && value !== 'unknown' ? ' | null' : ''}`;
  if (isOverridden) return `Narrowed<${values}, ColumnTypes['${key}']>`;
  if (column.written === 'by-database') return `GeneratedAlways<${values}>`;
  return column.written === 'by-default' ? `Generated<${values}>` : values;
};

const interfaceName = (table: string): string =>
  `${table.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Table`;

/** The comments above tables and columns, by `Table` and `Table.column`. */
const commentsOf = (former: string): ReadonlyMap<string, readonly string[]> => {
  const comments = new Map<string, readonly string[]>();
  let table = '';
  for (const [, comment, name, column] of former.matchAll(
    /^( *\/\*\*(?:.|\n)*?\*\/\n)?(?:export interface (\w+) \{| {2}(\w+): .*;)$/gm,
  )) {
    table = name ?? table;
    if (comment !== undefined) comments.set(name ?? `${table}.${column}`, comment.trimEnd().split('\n'));
  }
  return comments;
};
