import { problem } from '../problems.ts';
import { applicationShape } from '../shapes.ts';
import { param, type Route } from './route.ts';

export const applicationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/gateway',
    bucket: 'gateway-url',
    isOpen: true,
    handle: ({ context }) => ({ url: context.origin.replace('http', 'ws') }),
  },
  {
    // https://docs.discord.com/developers/events/gateway#get-gateway-bot
    method: 'GET',
    path: '/gateway/bot',
    bucket: 'gateway',
    handle: ({ context: { origin, settings } }) => ({
      url: origin.replace('http', 'ws'),
      shards: 1,
      session_start_limit: {
        total: settings.sessionStarts.total,
        remaining: Math.max(0, settings.sessionStarts.remaining),
        reset_after: 24 * 3_600_000,
        max_concurrency: settings.sessionStarts.maxConcurrency,
      },
    }),
  },
  {
    method: 'GET',
    path: '/applications/@me',
    bucket: 'application',
    handle: ({ context: { state } }) => applicationShape(state),
  },
  {
    method: 'GET',
    path: '/oauth2/applications/@me',
    bucket: 'application',
    handle: ({ context: { state } }) => applicationShape(state),
  },
  {
    method: 'GET',
    path: '/users/@me',
    bucket: 'users',
    handle: ({ context: { state } }) => ({
      ...state.application.user,
      verified: true,
      mfa_enabled: true,
      flags: 0,
    }),
  },
  {
    method: 'GET',
    path: '/users/@me/guilds',
    bucket: 'own-guilds',
    handle: ({ context: { state } }) =>
      [...state.guilds.values()]
        .filter(({ members }) => members.has(state.application.id))
        .map(({ id, name }) => ({
          id,
          name,
          icon: null,
          banner: null,
          owner: false,
          permissions: '0',
          features: [],
        })),
  },
  {
    method: 'GET',
    path: '/users/:user',
    bucket: 'users',
    handle: (call) => {
      const user = call.context.state.users.get(param(call, 'user'));
      if (!user) throw problem('unknownUser');
      return user;
    },
  },
];
