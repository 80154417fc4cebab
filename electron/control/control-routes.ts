import type { RequestListener } from 'node:http';
import { type StackStatus, stackControl } from '#contracts/operations/stack.ts';
import { isToken, tokenDigest } from '#runtime/auth/secret-token.ts';
import { ConfigError } from '#runtime/env.ts';
import { answerProblems, nameRequests } from '#runtime/http/problems.ts';
import { type Authorize, createApp, createRoutes, refuseUnknown } from '#runtime/http/routes.ts';
import { Problem } from '#runtime/problem.ts';
import { StartupError } from '#runtime/program.ts';
import type { Secret } from '#runtime/secret.ts';
import { type Stack, StackClosedError } from '../stack/stack.ts';

/** The control channel's handler: binds contracts/operations/stack.ts. */
export const controlRoutes = ({
  stack,
  token,
  onStopped,
  powerRefusal,
}: {
  readonly stack: Stack;
  readonly token: Secret;
  /** Called once the stack is stopped and the caller has its answer, or is gone. */
  readonly onStopped: () => void;
  /** Why this supervisor must not stop or restart the stack, if that is so. */
  readonly powerRefusal?: string;
}): RequestListener => {
  const app = createApp(false);
  app.use(nameRequests);
  const routes = createRoutes(app, { authorize: demandToken(token) });
  const demandPower = () => {
    if (powerRefusal !== undefined) throw new Problem('RUN_AS_SERVICES', { detail: powerRefusal });
  };

  routes.on(stackControl.status, () => stack.status());
  routes.on(stackControl.restart, async ({ query }): Promise<StackStatus> => {
    demandPower();
    try {
      await stack.restart(query.component);
    } catch (error) {
      if (error instanceof ConfigError) throw new Problem('INVALID_REQUEST', { detail: error.message });
      if (error instanceof StackClosedError) throw new Problem('SHUTTING_DOWN', { detail: error.message });
      throw error;
    }
    return stack.status();
  });
  routes.on(stackControl.stop, async (_input, { request }): Promise<StackStatus> => {
    demandPower();
    await stack.stop();
    const { res } = request;
    // A caller that has gone away has already closed it.
    if (!res || res.closed) onStopped();
    else res.once('close', onStopped);
    return stack.status();
  });

  routes.on(stackControl.callApi, async ({ body }) => {
    try {
      return await stack.callApi(body);
    } catch (error) {
      if (error instanceof StartupError) throw new Problem('API_UNAVAILABLE', { detail: error.message });
      throw error;
    }
  });

  refuseUnknown(app, routes);
  app.use(answerProblems(stack.log));
  return app;
};

const demandToken = (token: Secret): Authorize<null> => {
  const expected = tokenDigest(`Bearer ${token.reveal()}`);
  return (_endpoint, request) => {
    if (!isToken(request.headers.authorization ?? '', expected)) throw new Problem('UNAUTHENTICATED');
    return null;
  };
};
