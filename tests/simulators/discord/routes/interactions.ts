import { answerInteraction, callbackResponse } from '../interactions.ts';
import { problem } from '../problems.ts';
import { type Call, param, type Route } from './route.ts';

const callback = (call: Call) => {
  const interaction = call.context.state.interactions.get(param(call, 'interaction'));
  if (!interaction || interaction.token !== param(call, 'token')) throw problem('unknownInteraction');
  const body = call.body as Parameters<typeof answerInteraction>[2];
  answerInteraction(call.context, interaction, body, call.files);
  return call.query.get('with_response') === 'true' ? callbackResponse(interaction, body.type) : null;
};

export const interactionRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/interactions/:interaction/:token/callback',
    bucket: 'interaction',
    isOpen: true,
    handle: callback,
  },
];
