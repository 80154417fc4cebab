import { problem } from '../problems.ts';
import { channelOf, param, type Route } from './route.ts';

/** https://docs.discord.com/developers/resources/message#create-reaction */
export const reactionRoutes: readonly Route[] = [
  {
    method: 'PUT',
    path: '/channels/:channel/messages/:message/reactions/:emoji/@me',
    bucket: 'reactions',
    handle(call) {
      const { channel } = channelOf(call, 'readMessageHistory', 'addReactions');
      const stored = channel.messages.get(param(call, 'message'));
      if (!stored || stored.visibleTo !== null) throw problem('unknownMessage');
      const name = param(call, 'emoji');
      const { reactions = [] } = stored.message;
      const own = reactions.find(({ emoji }) => emoji.name === name);
      if (!own) {
        const counts = { count: 1, count_details: { burst: 0, normal: 1 } };
        const more = { me: true, me_burst: false, burst_colors: [] };
        stored.message.reactions = [...reactions, { emoji: { id: null, name }, ...counts, ...more }];
      }
      call.context.changes.emit('change');
      return null;
    },
  },
];
