import { parseAst } from 'rolldown/parseAst';
import { type AstNode, childrenOf, isFunction, isNode, languageOf } from './syntax.ts';

/** A source that reports which of its statements and branches are executed. */
export interface ProbedSource {
  readonly source: string;
  /** The number of the innermost probe around a position in the original source; null if it has none. */
  readonly probeAt: (position: number) => number | null;
}

/** What a browser writes to its console for each probe; a process writes the part after the blank to the report. */
export const consoleMark = 'castellan-reached ';

/**
 * The function needs no import, because code of `contracts` and `runtime` also runs in browsers. A file is appended to at once, so that
 * a process that is killed right after has reported.
 */
const reporter = (fileId: number, report: string): string =>
  `function castellanReach(n) {
    const seen = (castellanReach.seen ??= []);
    if (seen[n]) return;
    seen[n] = true;
    const fs = globalThis.process?.getBuiltinModule?.('node:fs');
    if (!fs) return console.debug(${JSON.stringify(consoleMark)} + '${fileId}:' + n);
    try { fs.appendFileSync(${JSON.stringify(report)}, '${fileId}:' + n + '\\n'); } catch {}
  }`.replaceAll(/\s*\n\s*/g, ' ');

const loops = new Set([
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
]);

/** Statements that other code may jump over, and the expressions that run only for some values. */
const branchesOf = (node: AstNode): readonly AstNode[] => {
  const pick = (...fields: readonly string[]) => fields.flatMap((field) => [node[field]]).filter(isNode);
  if (node.type === 'ConditionalExpression') return pick('consequent', 'alternate');
  if (node.type === 'LogicalExpression') return pick('right');
  if (node.type === 'IfStatement') return pick('consequent', 'alternate').filter(isNoBlock);
  if (loops.has(node.type)) return pick('body').filter(isNoBlock);
  if (isFunction(node))
    return pick('body').filter(({ type }) => !/^(?:BlockStatement|FunctionBody)$/.test(type));
  return [];
};

const isNoBlock = ({ type }: AstNode): boolean => type !== 'BlockStatement';

const listOf = (node: AstNode): readonly AstNode[] => {
  const list = node.type === 'SwitchCase' ? node.consequent : node.body;
  if (!/^(?:Program|BlockStatement|FunctionBody|StaticBlock|SwitchCase)$/.test(node.type)) return [];
  return (list as readonly AstNode[]).filter(
    ({ type, directive }) => type !== 'ImportDeclaration' && !type.startsWith('TS') && directive == null,
  );
};

/**
 * @param fileId names the source in the report
 * @param report the file to which each process appends `fileId:probe` lines
 */
export const plantProbes = (source: string, file: string, fileId: number, report: string): ProbedSource => {
  const regions: { readonly start: number; readonly end: number }[] = [];
  const opened: (readonly [position: number, text: string])[] = [];
  const closed: (readonly [position: number, text: string])[] = [];

  const visit = (node: AstNode, text?: (call: string) => readonly [string, string]): void => {
    if (node.type.startsWith('TS') && !('expression' in node)) return;
    const [before, after] = text?.(`castellanReach(${regions.length})`) ?? ['', ''];
    if (text) regions.push({ start: node.start, end: node.end });
    if (before) opened.push([node.start, before]);
    const statements = new Set(listOf(node));
    const branches = new Set(branchesOf(node));
    for (const child of childrenOf(node)) {
      if (statements.has(child)) visit(child, (call) => [`${call};`, '']);
      else if (!branches.has(child)) visit(child);
      else if (/Statement$|Declaration$/.test(child.type)) visit(child, (call) => [`{${call};`, '}']);
      else visit(child, (call) => [`(${call}, `, ')']);
    }
    if (after) closed.push([node.end, after]);
  };
  visit(parseAst(source, { lang: languageOf(file) }) as unknown as AstNode);

  // Stable: at one position, what closes stands before what opens, and the inner closes first.
  const inserted = [...closed, ...opened].toSorted(([one], [other]) => one - other);
  let probed = '';
  let position = 0;
  for (const [at, text] of inserted) {
    probed += source.slice(position, at) + text;
    position = at;
  }
  probed += source.slice(position);
  const [, hashBang = '', code = ''] = /^(#![^\n]*\n)?([\s\S]*)$/.exec(probed) ?? [];
  return {
    source: `${hashBang}${reporter(fileId, report)} ${code}`,
    probeAt(at) {
      // Outer regions come before the ones within them.
      const found = regions.findLastIndex(({ start, end }) => start <= at && at < end);
      return found < 0 ? null : found;
    },
  };
};
