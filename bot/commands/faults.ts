import type { Endpoint, usualProblems } from '#contracts/kernel/http.ts';
import type { ProblemCode } from '#contracts/kernel/problems.ts';
import { problemsPtBr } from '#contracts/kernel/problems-pt-br.ts';
import { licenseFaults } from '#contracts/license/license-state.ts';
import { ApiProblem } from '../api-client.ts';
import { type Language, words } from './language.ts';

/** What a person reads when the API refuses. */
const refusals = words(
  {
    FORBIDDEN:
      'You may not do this. An admin can allow it for your Discord role in the panel, on the page Discord.',
    DISCORD_NOT_LINKED: 'No player is linked to your Discord account yet. Use `/link` first.',
    RECEIVER_NOT_LINKED: 'No player is linked to their Discord account yet. They need to use `/link` first.',
    LINK_CODE_INVALID: 'This code is wrong, already used, or older than ten minutes. Get a new one.',
    MERGE_REFUSED:
      'These two cannot be linked. The player may belong to another Discord account. Ask an admin.',
    MEMBER_GONE: 'This account was changed in the meantime. Try again.',
    RATE_LIMITED: 'You did that too often. Try again in a minute.',
    INSUFFICIENT_POINTS: 'You do not have enough points. Nothing was charged.',
    PRODUCT_NOT_FOR_SALE: 'This is not for sale now. Nothing was charged.',
    LIMIT_REACHED: 'You have reached the limit for this product. Nothing was charged.',
    OUT_OF_STOCK: 'There are not that many left. Nothing was charged.',
    PRICE_CHANGED: 'The price has changed. Nothing was charged. Check it again.',
    DISCOUNT_CODE_INVALID: 'This code gives no discount now. Nothing was charged.',
    NOT_FOUND: 'This no longer exists.',
    SERVER_ARCHIVED: 'This server is in the archive.',
    POWER_AGENT_AWAY: 'No Game Agent is connected for this server, so nothing can be done to it.',
    POWER_AGENT_TOO_OLD: 'The Game Agent of this server is too old to start and stop it.',
    POWER_NOT_ALLOWED: 'The machine of this server does not let Castellan start and stop it.',
    POWER_UNMANAGED: 'The Game Agent of this server does not know how to start the game.',
    POWER_BUSY: 'The server is already being started, stopped or restarted.',
    DATABASE_UNAVAILABLE: 'Castellan cannot reach its database at the moment. Try again soon.',
  },
  {
    FORBIDDEN:
      'Você não pode fazer isso. Um administrador pode permitir isso ao seu cargo, na página Discord do painel.',
    DISCORD_NOT_LINKED:
      'Nenhum jogador está vinculado à sua conta do Discord ainda. Use `/vincular` primeiro.',
    RECEIVER_NOT_LINKED:
      'Nenhum jogador está vinculado à conta dessa pessoa ainda. Ela precisa usar `/vincular` primeiro.',
    LINK_CODE_INVALID: 'Este código está errado, já foi usado ou tem mais de dez minutos. Peça um novo.',
    MERGE_REFUSED:
      'Não é possível vincular os dois: o jogador pode ser de outra conta do Discord. Fale com um administrador.',
    MEMBER_GONE: 'Esta conta foi alterada nesse meio-tempo. Tente de novo.',
    RATE_LIMITED: 'Você fez isso vezes demais. Tente de novo em um minuto.',
    INSUFFICIENT_POINTS: 'Você não tem pontos suficientes. Nada foi cobrado.',
    PRODUCT_NOT_FOR_SALE: 'Isto não está à venda agora. Nada foi cobrado.',
    LIMIT_REACHED: 'Você atingiu o limite deste produto. Nada foi cobrado.',
    OUT_OF_STOCK: 'Não restam tantos. Nada foi cobrado.',
    PRICE_CHANGED: 'O preço mudou. Nada foi cobrado. Confira de novo.',
    DISCOUNT_CODE_INVALID: 'Este código não dá desconto agora. Nada foi cobrado.',
    NOT_FOUND: 'Isto não existe mais.',
    SERVER_ARCHIVED: 'Este servidor está no arquivo.',
    POWER_AGENT_AWAY: 'Nenhum agente de jogo está conectado a este servidor; nada pode ser feito.',
    POWER_AGENT_TOO_OLD: 'O agente de jogo deste servidor é antigo demais para ligá-lo e desligá-lo.',
    POWER_NOT_ALLOWED: 'A máquina deste servidor não permite que o Castellan o ligue e desligue.',
    POWER_UNMANAGED: 'O agente de jogo deste servidor não sabe como iniciar o jogo.',
    POWER_BUSY: 'O servidor já está sendo ligado, desligado ou reiniciado.',
    DATABASE_UNAVAILABLE:
      'O Castellan não consegue acessar o banco de dados no momento. Tente de novo em breve.',
  },
);

/** Refusals without words here. */
type WithoutWords =
  // The commands have their own.
  | 'REWARD_CODE_INVALID'
  | 'REWARD_UNAVAILABLE'
  // The API names in English what the game lacks.
  | 'NO_SUCH_COMMAND'
  // Only for staff who test a product.
  | 'RECIPIENT_UNSEEN'
  // As any answer above 500.
  | 'SHUTTING_DOWN'
  // No one but the bot could do anything about these.
  | 'CROSS_ORIGIN'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'IDEMPOTENCY_MISMATCH'
  | 'UNAUTHENTICATED';

type Worded = keyof (typeof refusals)['en'] | WithoutWords;

/** An endpoint for commands. A refusal of it has words above, or stands in `WithoutWords`. */
export type WordedEndpoint = ReturnType<typeof usualProblems>[number] extends Worded
  ? Endpoint & { readonly problems?: readonly Worded[] }
  : never;

const away = words(
  {
    away: 'Castellan does not answer at the moment. Try again soon.',
    license: 'Castellan has no valid license at the moment. Tell an admin, or try again later.',
    failed: 'This failed. Try again. An admin can find the reason in the log of the bot.',
  },
  {
    away: 'O Castellan não responde no momento. Tente de novo em breve.',
    license: 'O Castellan está sem licença válida no momento. Avise um administrador ou tente mais tarde.',
    failed: 'Isto falhou. Tente de novo. Um administrador pode ver o motivo no registro do bot.',
  },
);

/** Whether the API may have done what it was asked: it did not answer, or the connection broke off. */
export const isUncertain = (error: unknown): boolean => !(error instanceof ApiProblem) || error.status >= 500;

export const faultText = (error: unknown, language: Language): string => {
  if (!(error instanceof ApiProblem)) return away[language].away;
  const known: Partial<Record<ProblemCode, string>> = refusals[language];
  const { code, document } = error;
  if (code !== undefined && known[code] !== undefined) return known[code];
  if (licenseFaults.some((fault) => fault === code)) return away[language].license;
  if (error.status >= 500) return away[language].away;
  // Details are in English.
  if (code !== undefined && language !== 'en') return problemsPtBr[code].meaning;
  return document?.detail ?? document?.title ?? away[language].failed;
};

export const failedText = (language: Language): string => away[language].failed;
