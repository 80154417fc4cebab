import type { GameServer } from '#contracts/servers/game-servers.ts';
import { serverFiguresHttp } from '#contracts/servers/server-figures.ts';
import { pollMs, useRead } from '../../kit/api/queries.ts';
import { Sparkline } from '../../kit/charts/sparkline.tsx';
import { Card } from '../../kit/design/card.tsx';
import { useFormat } from '../../kit/language/use-format.ts';
import { useWords } from '../../kit/language/use-words.ts';
import classes from './server-overview.module.css';
import { serverOverviewWords } from './server-overview.words.ts';

/** The response time of the console, with a graph of the last hour; nothing if it is currently unknown. */
export const ServerLoad = ({ server }: { readonly server: GameServer }) => {
  const words = useWords(serverOverviewWords);
  const format = useFormat();
  const input = { params: { serverId: server.id }, query: { span: 'hour' } } as const;
  const answers = useRead(serverFiguresHttp.read, input, { everyMs: pollMs.rarely }).data?.points.map(
    ({ answerMs }) => answerMs,
  );
  // The current step may have no sample yet.
  const newest = answers?.at(-1) ?? answers?.at(-2) ?? null;
  if (!answers || newest === null) return null;
  return (
    <Card title={words.load}>
      <div className={classes.rows}>
        <div className={classes.row}>
          <span>{words.answerTime}</span>
          <Sparkline values={answers} width={80} />
          <span className={classes.figure}>{format.milliseconds(newest)}</span>
        </div>
      </div>
    </Card>
  );
};
