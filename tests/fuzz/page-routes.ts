import type { Express } from 'express';

/** A page or a form of a program. */
export interface PageRoute {
  readonly method: 'GET' | 'POST';
  /** Of its path, with parameters as `:name`. */
  readonly pattern: string;
  matches(path: string): boolean;
}

/** As much of Express's own list as names its routes. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
  match(path: string): boolean;
}

const routesIn = (stack: readonly Layer[], root: string): PageRoute[] =>
  stack.flatMap(({ route }) => {
    if (!route) return [];
    const pattern = `${root}${route.path}`.replace(/(.)\/$/, '$1');
    const expression = new RegExp(`^${pattern.replace(/[.*]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`);
    return (['GET', 'POST'] as const)
      .filter((method) => route.methods[method.toLowerCase()])
      .map((method) => ({ method, pattern, matches: (path) => expression.test(path) }));
  });

/** All pages and forms below these roots, in the order in which the application looks for them. */
export const pageRoutesOf = (app: Express, roots: readonly string[]): readonly PageRoute[] =>
  (app.router.stack as unknown as readonly Layer[]).flatMap((layer) => {
    const { stack } = layer.handle;
    const root = layer.route || !stack ? undefined : roots.find((each) => layer.match(each));
    return stack && root !== undefined ? routesIn(stack, root) : [];
  });
