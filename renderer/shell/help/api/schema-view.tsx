import { type ReactNode, useState } from 'react';
import { useWords } from '../../../kit/language/use-words.ts';
import classes from './api.module.css';
import { apiWords } from './api.words.ts';
import type { Schema, Schemas } from './open-api.ts';
import { fieldsOf, limitsOf, referredName, resolve, typeOf, waysOf } from './schemas.ts';

interface SchemaViewProps {
  readonly schema: Schema;
  readonly schemas: Schemas;
  /** The nesting depth: anything deeper than this, or with a name, is opened on demand, so that cycles are never followed. */
  readonly depth?: number;
}

const deepestOpen = 1;

/** The structure of a value. */
export const SchemaView = (
  props: SchemaViewProps & {
    /** The schemas passed through without being opened; a list of itself ends there. */
    readonly passed?: readonly Schema[];
  },
): ReactNode => {
  const { schema, schemas, depth = 0, passed = [] } = props;
  const resolved = resolve(schema, schemas);
  if (passed.includes(resolved)) return null;
  const within = [...passed, resolved];
  const ways = waysOf(resolved);
  if (ways.length === 1 && ways[0])
    return <SchemaView schema={ways[0]} schemas={schemas} depth={depth} passed={within} />;
  if (ways.length > 1)
    return (
      <ul className={classes.fields}>
        {ways.map((way, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the ways of a schema do not change
          <li key={index}>
            <span className={classes.type}>{typeOf(way)}</span>
            <Inner schema={way} schemas={schemas} depth={depth + 1} />
          </li>
        ))}
      </ul>
    );
  if (resolved.items)
    return (
      <>
        {depth === 0 && <div className={classes.type}>{typeOf(resolved)}</div>}
        <SchemaView schema={resolved.items} schemas={schemas} depth={depth + 1} passed={within} />
      </>
    );
  const fields = fieldsOf(resolved, schemas);
  const others =
    typeof resolved.additionalProperties === 'object' ? resolved.additionalProperties : undefined;
  if (fields.length === 0 && !others)
    return depth === 0 ? <div className={classes.type}>{typeOf(resolved)}</div> : null;
  return (
    <ul className={classes.fields}>
      {fields.map(({ name, isRequired, schema: value }) => (
        <FieldView
          key={name}
          name={name}
          isRequired={isRequired}
          schema={value}
          schemas={schemas}
          depth={depth}
        />
      ))}
      {others && <FieldView name="*" isRequired={false} schema={others} schemas={schemas} depth={depth} />}
    </ul>
  );
};

const FieldView = (
  props: Required<SchemaViewProps> & {
    readonly name: string;
    readonly isRequired: boolean;
  },
) => {
  const { name, isRequired, schema, schemas, depth } = props;
  const words = useWords(apiWords);
  const limits = limitsOf(schema);
  return (
    <li>
      <code className={classes.field}>{name}</code>
      {!isRequired && <span className={classes.optional}>{words.optional}</span>}
      <span className={classes.type} lang="en">
        {typeOf(schema)}
        {limits.length > 0 && `, ${limits.join(', ')}`}
      </span>
      {schema.description !== undefined && (
        <div className={classes.said} lang="en">
          {schema.description}
        </div>
      )}
      <Inner schema={schema} schemas={schemas} depth={depth + 1} />
    </li>
  );
};

/** Whether a schema has more to show than its type. */
const hasInside = (schema: Schema, schemas: Schemas, hops = 0): boolean => {
  const resolved = resolve(schema, schemas);
  if (hops > 5) return false;
  if (resolved.items) return hasInside(resolved.items, schemas, hops + 1);
  return (
    waysOf(resolved).some((way) => hasInside(way, schemas, hops + 1)) ||
    fieldsOf(resolved, schemas).length > 0 ||
    typeof resolved.additionalProperties === 'object'
  );
};

/** Whether a list or a choice leads to a named schema. */
const isNamed = (schema: Schema): boolean =>
  referredName(schema) !== null ||
  (schema.items !== undefined && referredName(schema.items) !== null) ||
  waysOf(schema).some((way) => referredName(way) !== null);

const Inner = ({ schema, schemas, depth }: Required<SchemaViewProps>) => {
  const words = useWords(apiWords);
  const [isOpen, setIsOpen] = useState(depth <= deepestOpen && !isNamed(schema));
  if (!hasInside(schema, schemas)) return null;
  return (
    <>
      <button
        type="button"
        className={classes.more}
        aria-expanded={isOpen}
        aria-label={words.insideOf(typeOf(schema))}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? '−' : '+'}
      </button>
      {isOpen && <SchemaView schema={schema} schemas={schemas} depth={depth} />}
    </>
  );
};
