import { parseAst } from 'rolldown/parseAst';

/** How a source uses names. Types, imports, comments and the keys of object literals do not count as a use. */
export interface SourceUses {
  /** String literals in use; for longer ones, such as SQL, also the quoted texts inside. A comparison is not a use. */
  readonly texts: ReadonlySet<string>;
  /** Properties that it reads, with the name of the object: `config.apiPort`. */
  readonly reads: ReadonlySet<string>;
  /** For each key in an object literal, the properties that its value reads. */
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each constant, the top-level keys of the object literals in its declaration. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
}

interface AstNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is AstNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const childrenOf = (node: AstNode): readonly AstNode[] => Object.values(node).flat().filter(isNode);

/** Nodes that only state the type of their expression. */
const typed = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion']);

const nameOf = (node: unknown): string | null => {
  if (!isNode(node)) return null;
  if (node.type === 'Identifier') return String(node.name);
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return typed.has(node.type) || node.type === 'ChainExpression' ? nameOf(node.expression) : null;
};

const propertiesOf = (node: AstNode): readonly AstNode[] =>
  (node.properties as readonly AstNode[]).filter(({ type }) => type === 'Property');

const firstObject = (node: AstNode): AstNode | null => {
  if (node.type === 'ObjectExpression') return node;
  for (const child of childrenOf(node)) {
    const found = firstObject(child);
    if (found) return found;
  }
  return null;
};

/** The children of a node in which names are used. */
const partsInUse = (node: AstNode): readonly unknown[] => {
  if (typed.has(node.type)) return [node.expression];
  if (node.type.startsWith('TS') || node.type === 'ImportDeclaration') return [];
  switch (node.type) {
    case 'BinaryExpression':
      return /^[!=]==?$/.test(String(node.operator))
        ? [node.left, node.right].filter((side) => isNode(side) && side.type !== 'Literal')
        : [node.left, node.right];
    case 'SwitchCase':
      return node.consequent as readonly unknown[];
    case 'MemberExpression':
      return node.computed ? [node.object, node.property] : [node.object];
    case 'Property':
      return node.computed ? [node.key, node.value] : [node.value];
    default:
      return childrenOf(node);
  }
};

export const usesIn = (source: string, lang: 'ts' | 'tsx'): SourceUses => {
  const texts = new Set<string>();
  const reads = new Set<string>();
  const keys = new Map<string, Set<string>>();
  const declared = new Map<string, readonly string[]>();

  const noteText = (text: string) => {
    texts.add(text);
    for (const [, quoted = ''] of text.matchAll(/'([^'\s]+)'/g)) texts.add(quoted);
  };
  const noteRead = (from: unknown, property: unknown, within: readonly string[]) => {
    const read = `${nameOf(from) ?? ''}.${nameOf(property) ?? ''}`;
    reads.add(read);
    for (const key of within) keys.set(key, (keys.get(key) ?? new Set()).add(read));
  };
  const noteDeclaration = (name: AstNode, value: AstNode, within: readonly string[]) => {
    if (name.type === 'ObjectPattern') for (const { key } of propertiesOf(name)) noteRead(value, key, within);
    const object = firstObject(value);
    if (name.type === 'Identifier' && object) {
      const names = propertiesOf(object).flatMap(({ key }) => nameOf(key) ?? []);
      declared.set(String(name.name), names);
    }
  };

  const visit = (node: AstNode, within: readonly string[]): void => {
    if (node.type === 'Literal' && typeof node.value === 'string') noteText(node.value);
    if (node.type === 'TemplateElement') noteText((node.value as { raw: string }).raw);
    if (node.type === 'MemberExpression' && !node.computed) noteRead(node.object, node.property, within);
    if (node.type === 'VariableDeclarator' && isNode(node.id) && isNode(node.init))
      noteDeclaration(node.id, node.init, within);
    const key = node.type === 'Property' && !node.computed ? nameOf(node.key) : null;
    const inner = key === null ? within : [...within, key];
    for (const part of partsInUse(node)) if (isNode(part)) visit(part, inner);
  };

  visit(parseAst(source, { lang }) as unknown as AstNode, []);
  return { texts, reads, keys, declared };
};
