import { parseAst } from 'rolldown/parseAst';
import { type AstNode, childrenOf, isFunction, isNode } from './syntax.ts';

/** One fault that can be planted in a source. */
export interface Mutation {
  /** Offset in the source; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly line: number;
  /** The change in readable form: `a < b → a <= b`. */
  readonly change: string;
  /** It changes only a log line or the length of a wait: no test is expected to detect it. */
  readonly isSuspect: boolean;
}

/** Nodes with a type and a value; every other TypeScript node is only a type. */
const typed = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression']);

const binaries = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
  ['===', '!=='],
  ['!==', '==='],
  ['-', '+'],
  ['*', '/'],
  ['/', '*'],
  ['%', '*'],
]);
const logicals = new Map([
  ['&&', '||'],
  ['||', '&&'],
]);
const methods = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
]);
/** From here on a number is an amount, and one more is no fault. */
const amount = 1000;

const logged = /^(?:\w+\.)*log\.(?:debug|info|warn|error|fatal)$|\.unref$/;
const tuned = /(?:Ms|Seconds|Bytes|Days)$/;

export const mutationsOf = (source: string, lang: 'ts' | 'tsx' = 'ts'): readonly Mutation[] => {
  const found: Mutation[] = [];
  const textOf = ({ start, end }: { start: number; end: number }) => source.slice(start, end);

  const plant = (place: AstNode, replacement: string, isSuspect: boolean) => {
    const brief = (text: string) => {
      const line = text.replaceAll(/\s+/g, ' ');
      return line.length > 80 ? `${line.slice(0, 77)}...` : line;
    };
    found.push({
      start: place.start,
      end: place.end,
      replacement,
      line: source.slice(0, place.start).split('\n').length,
      change: `${brief(textOf(place)) || 'nothing'} → ${brief(replacement)}`,
      isSuspect,
    });
  };

  const plantOperator = (node: AstNode, operator: string, isSuspect: boolean) => {
    const { left, right } = node as unknown as { left: AstNode; right: AstNode };
    const between = source.slice(left.end, right.start).replace(String(node.operator), operator);
    // Parentheses around an operand are outside of it.
    plant(
      node,
      source.slice(node.start, left.end) + between + source.slice(right.start, node.end),
      isSuspect,
    );
  };

  const plantInto = (node: AstNode, isSuspect: boolean) => {
    switch (node.type) {
      case 'BinaryExpression': {
        const operator = binaries.get(String(node.operator));
        if (operator) plantOperator(node, operator, isSuspect);
        break;
      }
      case 'LogicalExpression': {
        const operator = logicals.get(String(node.operator));
        // In parentheses, since the other operator may have another precedence.
        if (operator) {
          const { left, right } = node as unknown as { left: AstNode; right: AstNode };
          plant(node, `((${textOf(left)}) ${operator} (${textOf(right)}))`, isSuspect);
        } else plant(node, `(${textOf(node.right as AstNode)})`, isSuspect);
        break;
      }
      case 'UnaryExpression':
        if (node.operator === '!') plant(node, source.slice(node.start + 1, node.end), isSuspect);
        break;
      case 'IfStatement': {
        const test = node.test as AstNode;
        plant(test, 'true', isSuspect);
        plant(test, 'false', isSuspect);
        break;
      }
      case 'ConditionalExpression': {
        const test = node.test as AstNode;
        plant(test, `!(${textOf(test)})`, isSuspect);
        break;
      }
      case 'Literal':
        if (typeof node.value === 'boolean') plant(node, String(!node.value), isSuspect);
        if (typeof node.value === 'number')
          plant(node, String(node.value < amount ? node.value + 1 : node.value * 10), isSuspect);
        break;
      case 'ExpressionStatement':
        if (typeof node.directive !== 'string') plant(node, ';', isSuspect);
        break;
      case 'AwaitExpression':
        plant(node, `(void 0, ${textOf(node.argument as AstNode)})`, isSuspect);
        break;
      case 'CallExpression': {
        const callee = node.callee as AstNode;
        const property = callee.type === 'MemberExpression' && !callee.computed ? callee.property : null;
        const method = isNode(property) ? methods.get(String(property.name)) : undefined;
        if (isNode(property) && method) plant(property, method, isSuspect);
        break;
      }
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression': {
        const body = node.body;
        if (isNode(body) && body.type === 'BlockStatement' && !returnsValue(body)) {
          const first = (body.body as readonly AstNode[])[0];
          if (first && (body.body as readonly AstNode[]).length > 1)
            plant({ ...first, end: first.start }, 'return;', isSuspect);
        }
        break;
      }
    }
  };

  const visit = (node: AstNode, within: boolean): void => {
    if (typed.has(node.type)) {
      visit(node.expression as AstNode, within);
      return;
    }
    if (node.type.startsWith('TS') || node.type === 'ImportDeclaration') return;
    const isSuspect = within || saysOnly(node, textOf);
    plantInto(node, isSuspect);
    for (const child of childrenOf(node)) visit(child, isSuspect);
  };

  visit(parseAst(source, { lang }) as unknown as AstNode, false);
  return found;
};

const saysOnly = (node: AstNode, textOf: (node: AstNode) => string): boolean => {
  if (node.type === 'ExpressionStatement') {
    const expression = node.expression as AstNode;
    return expression.type === 'CallExpression' && logged.test(textOf(expression.callee as AstNode));
  }
  if (node.type === 'CallExpression') return logged.test(textOf(node.callee as AstNode));
  return node.type === 'VariableDeclarator' && tuned.test(textOf(node.id as AstNode)) && !hasFunction(node);
};

const hasFunction = (node: AstNode): boolean => isFunction(node) || childrenOf(node).some(hasFunction);

const returnsValue = (node: AstNode): boolean =>
  (node.type === 'ReturnStatement' && isNode(node.argument)) ||
  childrenOf(node).some((child) => !isFunction(child) && returnsValue(child));
