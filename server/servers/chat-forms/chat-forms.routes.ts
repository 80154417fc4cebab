import { chatFormsHttp } from '#contracts/servers/chat-forms.ts';
import type { ApiRoutes } from '../../kernel/access/authorize.ts';
import type { ChatForms } from './chat-forms.ts';

export const bindChatFormsRoutes = (routes: ApiRoutes, forms: ChatForms): void => {
  routes.on(chatFormsHttp.list, async (_input, { actor }) => ({ rows: await forms.list(actor) }));
  routes.on(chatFormsHttp.trial, ({ params, body }, { actor }) => forms.trial(params.id, body.forms, actor));
  routes.on(chatFormsHttp.set, ({ params, body }, by) => forms.set(params.id, body, by));
};
