import type { Language } from '#contracts/kernel/language.ts';
import type { PowerAction } from '#contracts/servers/agent-tasks.ts';

/** What the game says before it stops; the agent replaces `{time}` with the remaining time. */
const texts = {
  en: {
    stop: 'The server stops in {time}.',
    restart: 'The server restarts in {time}.',
  },
  'pt-BR': {
    stop: 'O servidor será desligado em {time}.',
    restart: 'O servidor reinicia em {time}.',
  },
} as const satisfies Record<Language, Partial<Record<PowerAction, string>>>;

export const announcement = (action: 'stop' | 'restart', language: Language): string =>
  texts[language][action];
