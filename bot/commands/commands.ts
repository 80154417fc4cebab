import { announceCommand } from './announce.ts';
import { banCommand } from './ban.ts';
import { buyCommand } from './buy.ts';
import type { BotCommand } from './command.ts';
import { dailyCommand } from './daily.ts';
import { deliveriesCommand } from './deliveries.ts';
import { giftCommand } from './gift.ts';
import { givePointsCommand } from './give-points.ts';
import { kickCommand } from './kick.ts';
import { linkCommand } from './link.ts';
import { playersCommand } from './players.ts';
import { pointsCommand } from './points.ts';
import { rconCommand } from './rcon.ts';
import { redeemCommand } from './redeem.ts';
import { serverCommand } from './server.ts';
import { shopCommand } from './shop.ts';
import { statusCommand } from './status.ts';
import { unbanCommand } from './unban.ts';
import { unlinkCommand } from './unlink.ts';
import { whitelistCommand } from './whitelist.ts';

/** Every slash command. A new one gets its own file and a line here. */
export const botCommands: readonly BotCommand[] = [
  statusCommand,
  playersCommand,
  linkCommand,
  unlinkCommand,
  pointsCommand,
  shopCommand,
  buyCommand,
  giftCommand,
  deliveriesCommand,
  dailyCommand,
  redeemCommand,
  givePointsCommand,
  announceCommand,
  kickCommand,
  banCommand,
  unbanCommand,
  whitelistCommand,
  rconCommand,
  serverCommand,
];
