import { type Installation, install } from '#harness/installation.ts';
import { sqlSession } from '../../../server/kernel/testing/sql.ts';

/** An installation whose API, which is not running yet, finds these Minecraft servers, each named like its id. */
export const installWithServers = async (ids: readonly string[]): Promise<Installation> => {
  await using building = new AsyncDisposableStack();
  const installation = building.use(await install());
  await using sql = await sqlSession(installation.databaseUrl);
  await sql.query(`insert into clusters (id, name, name_key, description) values ('c', 'c', 'c', '')`);
  await sql.query(
    `insert into game_servers (id, cluster_id, name, name_key, game, port)
     select id, 'c', id, id, 'minecraft', 25575 from unnest($1::text[]) as id`,
    [ids],
  );
  building.move();
  return installation;
};
