import { licenseFaults } from '#contracts/license-state.ts';
import type { ProblemCode } from '#contracts/problems.ts';
import { ApiProblem } from '../api-client.ts';
import { type Language, words } from './language.ts';

/** What a person is told when the API refuses; what stands nowhere here is told with the API's own words. */
const refusals = words(
  {
    FORBIDDEN:
      'You may not do this. An admin can give your Discord role the right to, in the panel under Discord.',
    DISCORD_NOT_LINKED: 'No player is linked to your Discord account yet: use `/link` first.',
    RECEIVER_NOT_LINKED: 'No player is linked to their Discord account yet: they use `/link` first.',
    LINK_CODE_INVALID: 'This code is wrong, used, or older than ten minutes.',
    MERGE_REFUSED:
      'These two cannot be linked: the player may belong to another Discord account. Ask an admin.',
    MEMBER_GONE: 'This account was changed meanwhile. Try again.',
    RATE_LIMITED: 'That was too often. Try again in a minute.',
    INSUFFICIENT_POINTS: 'You do not have enough points. Nothing was charged.',
    PRODUCT_NOT_FOR_SALE: 'This is not for sale now. Nothing was charged.',
    LIMIT_REACHED: 'The limit of this product is reached for now. Nothing was charged.',
    OUT_OF_STOCK: 'Not so many are left. Nothing was charged.',
    PRICE_CHANGED: 'The price has changed meanwhile. Nothing was charged; look at it again.',
    DISCOUNT_CODE_INVALID: 'This code gives no discount now. Nothing was charged.',
    NOT_FOUND: 'This is not there any more.',
    SERVER_ARCHIVED: 'This server is in the archive.',
    POWER_AGENT_AWAY: 'No Game Agent is connected for this server, so nothing can be done to it.',
    POWER_AGENT_TOO_OLD: 'The Game Agent of this server is too old to start and stop it.',
    POWER_NOT_ALLOWED: 'The machine of this server does not let Castellan start and stop it.',
    POWER_UNMANAGED: 'The machine of this server does not say how the game is started.',
    POWER_BUSY: 'The server is being started, stopped or restarted already.',
    DATABASE_UNAVAILABLE: 'The database is away at the moment. Try again soon.',
  },
  {
    FORBIDDEN:
      'Você não pode fazer isso. Um administrador pode dar esse direito ao seu cargo, no painel, em Discord.',
    DISCORD_NOT_LINKED: 'Nenhum jogador está vinculado à sua conta do Discord: use `/vincular` antes.',
    RECEIVER_NOT_LINKED: 'Nenhum jogador está vinculado à conta dessa pessoa: ela usa `/vincular` antes.',
    LINK_CODE_INVALID: 'Este código está errado, já foi usado ou tem mais de dez minutos.',
    MERGE_REFUSED:
      'Não é possível vincular os dois: o jogador pode ser de outra conta do Discord. Fale com um administrador.',
    MEMBER_GONE: 'Esta conta mudou enquanto isso. Tente de novo.',
    RATE_LIMITED: 'Vezes demais. Tente de novo em um minuto.',
    INSUFFICIENT_POINTS: 'Você não tem pontos suficientes. Nada foi cobrado.',
    PRODUCT_NOT_FOR_SALE: 'Isto não está à venda agora. Nada foi cobrado.',
    LIMIT_REACHED: 'O limite deste produto foi atingido por enquanto. Nada foi cobrado.',
    OUT_OF_STOCK: 'Não restam tantos. Nada foi cobrado.',
    PRICE_CHANGED: 'O preço mudou enquanto isso. Nada foi cobrado; confira de novo.',
    DISCOUNT_CODE_INVALID: 'Este código não dá desconto agora. Nada foi cobrado.',
    NOT_FOUND: 'Isto não existe mais.',
    SERVER_ARCHIVED: 'Este servidor está no arquivo.',
    POWER_AGENT_AWAY: 'Nenhum agente de jogo está conectado a este servidor; nada pode ser feito.',
    POWER_AGENT_TOO_OLD: 'O agente de jogo deste servidor é antigo demais para ligá-lo e desligá-lo.',
    POWER_NOT_ALLOWED: 'A máquina deste servidor não permite que o Castellan o ligue e desligue.',
    POWER_UNMANAGED: 'A máquina deste servidor não diz como o jogo inicia.',
    POWER_BUSY: 'O servidor já está sendo ligado, desligado ou reiniciado.',
    DATABASE_UNAVAILABLE: 'O banco de dados está fora no momento. Tente de novo em breve.',
  },
);

const away = words(
  {
    away: 'The control center does not answer at the moment. Try again soon.',
    license: 'The control center waits for its license. Try again later.',
    failed: 'This has failed. Try again; an admin finds the reason in the log of the bot.',
  },
  {
    away: 'A central de controle não responde no momento. Tente de novo em breve.',
    license: 'A central de controle espera pela licença. Tente de novo mais tarde.',
    failed: 'Isto falhou. Tente de novo; um administrador encontra o motivo no registro do bot.',
  },
);

/** Whether the API may have done what it was asked: it did not answer, or broke off. */
export const isUncertain = (error: unknown): boolean => !(error instanceof ApiProblem) || error.status >= 500;

export const faultText = (error: unknown, language: Language): string => {
  if (!(error instanceof ApiProblem)) return away[language].away;
  const known: Partial<Record<ProblemCode, string>> = refusals[language];
  const { code, document } = error;
  if (code !== undefined && known[code] !== undefined) return known[code];
  if (licenseFaults.some((fault) => fault === code)) return away[language].license;
  if (error.status >= 500) return away[language].away;
  return document?.detail ?? document?.title ?? away[language].failed;
};

export const failedText = (language: Language): string => away[language].failed;
