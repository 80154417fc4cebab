-- The API's database after all migrations, as a reference: no program reads this file.
-- tests/outside/outside.test.ts writes it. Do not edit it: change the migrations, then run
--   npx vitest run --project integration tests/outside -u

CREATE TABLE admins (
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  disabled boolean NOT NULL DEFAULT false,
  id text NOT NULL,
  last_sign_in_at timestamp with time zone,
  name text NOT NULL,
  name_key text NOT NULL,
  password_hash text NOT NULL,
  role text,
  totp_confirmed_at timestamp with time zone,
  totp_last_step bigint,
  totp_secret text,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT admins_name_key_key UNIQUE (name_key),
  CONSTRAINT admins_pkey PRIMARY KEY (id),
  CONSTRAINT admins_role_fkey FOREIGN KEY (role) REFERENCES roles(id)
);

CREATE TABLE agent_commands (
  accepted_at timestamp(3) with time zone,
  command text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  done_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  id text NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  result jsonb,
  sealed text,
  sent_at timestamp(3) with time zone,
  server_id text NOT NULL,
  timeout_ms integer NOT NULL,
  CONSTRAINT agent_commands_pkey PRIMARY KEY (id),
  CONSTRAINT agent_commands_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE agent_enrolments (
  answer jsonb,
  code text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  created_by text NOT NULL,
  downloaded_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  id text NOT NULL,
  is_ended boolean NOT NULL DEFAULT false,
  request_digest text,
  server_id text NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT agent_enrolments_check CHECK ((((used_at IS NULL) = (request_digest IS NULL)) AND ((used_at IS NULL) = (answer IS NULL)))),
  CONSTRAINT agent_enrolments_pkey PRIMARY KEY (id),
  CONSTRAINT agent_enrolments_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id) ON DELETE CASCADE
);

CREATE TABLE agent_reports (
  journal text NOT NULL,
  machine jsonb NOT NULL,
  machine_at timestamp(3) with time zone NOT NULL,
  process jsonb,
  process_at timestamp(3) with time zone,
  server_id text NOT NULL,
  task_journal text NOT NULL,
  CONSTRAINT agent_reports_pkey PRIMARY KEY (server_id),
  CONSTRAINT agent_reports_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE agent_tasks (
  cancel_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  created_by_name text NOT NULL,
  done_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone NOT NULL,
  id text NOT NULL,
  kind text NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  progress jsonb,
  request jsonb NOT NULL,
  result jsonb,
  sent_at timestamp(3) with time zone,
  server_id text NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  CONSTRAINT agent_tasks_done CHECK ((((state = 'done'::text) = (done_at IS NOT NULL)) AND ((state = 'done'::text) = (result IS NOT NULL)))),
  CONSTRAINT agent_tasks_pkey PRIMARY KEY (id),
  CONSTRAINT agent_tasks_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT agent_tasks_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'accepted'::text, 'running'::text, 'done'::text])))
);

CREATE TABLE api_keys (
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  creator_id text,
  expires_at timestamp with time zone NOT NULL,
  id text NOT NULL,
  last_used_at timestamp with time zone,
  name text NOT NULL,
  permissions text[] NOT NULL,
  secret_hash bytea NOT NULL,
  server_ids text[],
  CONSTRAINT api_keys_creator_id_fkey FOREIGN KEY (creator_id) REFERENCES admins(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE api_processes (
  id text NOT NULL,
  leased_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT api_processes_pkey PRIMARY KEY (id)
);

CREATE TABLE audit_logs (
  action text NOT NULL,
  actor text NOT NULL,
  actor_id text NOT NULL GENERATED ALWAYS AS (
CASE
    WHEN (strpos(actor, ':'::text) > 0) THEN substr(actor, (strpos(actor, ':'::text) + 1))
    ELSE ''::text
END) STORED,
  actor_kind text NOT NULL GENERATED ALWAYS AS (split_part(actor, ':'::text, 1)) STORED,
  actor_name text,
  address text,
  after jsonb,
  at timestamp(3) with time zone NOT NULL DEFAULT now(),
  before jsonb,
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  target text,
  CONSTRAINT audit_logs_pkey PRIMARY KEY (id)
);

CREATE TABLE ban_news (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  player_id bigint NOT NULL,
  CONSTRAINT ban_news_pkey PRIMARY KEY (id)
);

CREATE TABLE ban_places (
  certainty text,
  change text,
  command text,
  command_id text,
  detail text,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  is_refused boolean NOT NULL DEFAULT false,
  is_sent boolean NOT NULL DEFAULT false,
  is_settled boolean NOT NULL GENERATED ALWAYS AS (
CASE wanted
    WHEN 'banned'::text THEN (known = 'banned'::text)
    ELSE (known = ANY (ARRAY['never'::text, 'free'::text]))
END) STORED,
  known text NOT NULL DEFAULT 'never'::text,
  known_at timestamp(3) with time zone,
  listed_as text,
  next_try_at timestamp(3) with time zone NOT NULL,
  outcome text,
  player_id bigint NOT NULL,
  reply text,
  sent_at timestamp(3) with time zone,
  server_id text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  wanted text NOT NULL,
  wanted_at timestamp(3) with time zone NOT NULL,
  way text,
  CONSTRAINT ban_places_certainty_check CHECK ((certainty = ANY (ARRAY['proven'::text, 'unconfirmed'::text]))),
  CONSTRAINT ban_places_change_check CHECK ((change = ANY (ARRAY['ban'::text, 'unban'::text]))),
  CONSTRAINT ban_places_check CHECK (((known = ANY (ARRAY['banned'::text, 'free'::text])) = (certainty IS NOT NULL))),
  CONSTRAINT ban_places_check1 CHECK (((NOT is_sent) OR ((command_id IS NOT NULL) AND (change IS NOT NULL) AND (way IS NOT NULL)))),
  CONSTRAINT ban_places_command_id_key UNIQUE (command_id),
  CONSTRAINT ban_places_known_check CHECK ((known = ANY (ARRAY['never'::text, 'unsure'::text, 'banned'::text, 'free'::text]))),
  CONSTRAINT ban_places_pkey PRIMARY KEY (id),
  CONSTRAINT ban_places_player_id_fkey FOREIGN KEY (player_id) REFERENCES players(id) ON DELETE CASCADE,
  CONSTRAINT ban_places_player_id_server_id_key UNIQUE (player_id, server_id),
  CONSTRAINT ban_places_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT ban_places_wanted_check CHECK ((wanted = ANY (ARRAY['banned'::text, 'free'::text]))),
  CONSTRAINT ban_places_way_check CHECK ((way = ANY (ARRAY['agent'::text, 'direct'::text])))
);

CREATE TABLE ban_servers (
  ban_id bigint NOT NULL,
  lifted_at timestamp(3) with time zone,
  server_id text NOT NULL,
  CONSTRAINT ban_servers_ban_id_fkey FOREIGN KEY (ban_id) REFERENCES bans(id) ON DELETE CASCADE,
  CONSTRAINT ban_servers_pkey PRIMARY KEY (ban_id, server_id),
  CONSTRAINT ban_servers_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE bans (
  actor text NOT NULL,
  actor_name text,
  banned_at timestamp(3) with time zone NOT NULL,
  ended_actor text,
  ended_actor_name text,
  ended_at timestamp(3) with time zone,
  ended_how text,
  game text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  is_everywhere boolean NOT NULL,
  platform_id text,
  player_id bigint,
  player_name text NOT NULL,
  reason text NOT NULL,
  until timestamp(3) with time zone,
  CONSTRAINT bans_check CHECK (((ended_at IS NULL) = (ended_how IS NULL))),
  CONSTRAINT bans_check1 CHECK (((ended_actor IS NULL) OR (ended_at IS NOT NULL))),
  CONSTRAINT bans_ended_how_check CHECK ((ended_how = ANY (ARRAY['lifted'::text, 'expired'::text]))),
  CONSTRAINT bans_pkey PRIMARY KEY (id),
  CONSTRAINT bans_player_id_fkey FOREIGN KEY (player_id) REFERENCES players(id) ON DELETE SET NULL
);

CREATE TABLE chat_confirmations (
  asked jsonb NOT NULL,
  command text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  digest_salt bytea NOT NULL,
  expected_total bigint,
  expires_at timestamp(3) with time zone NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  is_proven boolean NOT NULL,
  line_key text NOT NULL,
  number_digest bytea NOT NULL,
  player_id bigint NOT NULL,
  server_id text NOT NULL,
  tries_left smallint NOT NULL,
  CONSTRAINT chat_confirmations_command_check CHECK ((command = ANY (ARRAY['buy'::text, 'link'::text, 'survivor'::text]))),
  CONSTRAINT chat_confirmations_pkey PRIMARY KEY (id),
  CONSTRAINT chat_confirmations_player_id_fkey FOREIGN KEY (player_id) REFERENCES players(id) ON DELETE CASCADE,
  CONSTRAINT chat_confirmations_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT chat_confirmations_tries_left_check CHECK ((tries_left >= 0))
);

CREATE TABLE chat_confirmed_players (
  confirmed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  player_id bigint NOT NULL,
  server_id text NOT NULL,
  CONSTRAINT chat_confirmed_players_pkey PRIMARY KEY (player_id, server_id),
  CONSTRAINT chat_confirmed_players_player_id_fkey FOREIGN KEY (player_id) REFERENCES players(id) ON DELETE CASCADE,
  CONSTRAINT chat_confirmed_players_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id) ON DELETE CASCADE
);

CREATE TABLE chat_forms (
  changed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  forms text[] NOT NULL,
  server_id text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT chat_forms_pkey PRIMARY KEY (server_id),
  CONSTRAINT chat_forms_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id) ON DELETE CASCADE
);

CREATE TABLE chat_trusts (
  changed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  ended_by text,
  is_trusted boolean NOT NULL,
  is_unreviewed boolean NOT NULL DEFAULT false,
  origin_since timestamp(3) with time zone,
  server_id text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT chat_trusts_ended_by_check CHECK ((ended_by = ANY (ARRAY['address'::text, 'agent'::text]))),
  CONSTRAINT chat_trusts_pkey PRIMARY KEY (server_id),
  CONSTRAINT chat_trusts_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id) ON DELETE CASCADE
);

CREATE TABLE clusters (
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  description text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT clusters_pkey PRIMARY KEY (id)
);

CREATE TABLE command_masking (
  after text,
  is_done boolean NOT NULL DEFAULT false,
  rules integer NOT NULL,
  source text NOT NULL,
  CONSTRAINT command_masking_pkey PRIMARY KEY (source)
);

CREATE TABLE commands_in_flight (
  command_id text NOT NULL,
  leased_until timestamp(3) with time zone NOT NULL,
  process_id text NOT NULL,
  CONSTRAINT commands_in_flight_pkey PRIMARY KEY (command_id)
);

CREATE TABLE community_logo (
  bytes bytea NOT NULL,
  height integer NOT NULL,
  media_type text NOT NULL,
  one boolean NOT NULL DEFAULT true,
  sha256 text NOT NULL,
  width integer NOT NULL,
  CONSTRAINT community_logo_bytes_check CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 262144))),
  CONSTRAINT community_logo_height_check CHECK (((height >= 1) AND (height <= 512))),
  CONSTRAINT community_logo_media_type_check CHECK ((media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))),
  CONSTRAINT community_logo_one_check CHECK (one),
  CONSTRAINT community_logo_pkey PRIMARY KEY (one),
  CONSTRAINT community_logo_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT community_logo_width_check CHECK (((width >= 1) AND (width <= 512)))
);

CREATE TABLE console_commands (
  actor text NOT NULL,
  actor_name text,
  approved_by text,
  approved_name text,
  at timestamp(3) with time zone NOT NULL DEFAULT now(),
  command text NOT NULL,
  duration_ms integer,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id text,
  outcome text,
  product_id text,
  reply text,
  revised_at timestamp(3) with time zone,
  revised_from text,
  run_id text NOT NULL,
  server_id text NOT NULL,
  truncated boolean NOT NULL DEFAULT false,
  via text,
  CONSTRAINT console_commands_pkey PRIMARY KEY (id),
  CONSTRAINT console_commands_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT console_commands_via_check CHECK ((via = ANY (ARRAY['agent'::text, 'direct'::text])))
);

CREATE TABLE console_lines (
  at timestamp(3) with time zone NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  server_id text NOT NULL,
  text text NOT NULL,
  CONSTRAINT console_lines_pkey PRIMARY KEY (id),
  CONSTRAINT console_lines_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE counter_commands (
  command_id text,
  delivery_id uuid NOT NULL,
  detail text,
  epoch integer NOT NULL,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  number integer NOT NULL,
  sent_at timestamp(3) with time zone,
  server_id text NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  tries integer NOT NULL DEFAULT 0,
  way text,
  CONSTRAINT counter_commands_check CHECK (((state <> 'sent'::text) OR ((command_id IS NOT NULL) AND (way IS NOT NULL) AND (sent_at IS NOT NULL)))),
  CONSTRAINT counter_commands_command_id_key UNIQUE (command_id),
  CONSTRAINT counter_commands_delivery_id_number_fkey FOREIGN KEY (delivery_id, number) REFERENCES delivery_attempts(delivery_id, number),
  CONSTRAINT counter_commands_pkey PRIMARY KEY (delivery_id, number),
  CONSTRAINT counter_commands_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT counter_commands_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'taken'::text, 'refused'::text, 'unknown'::text, 'impossible'::text]))),
  CONSTRAINT counter_commands_way_check CHECK ((way = ANY (ARRAY['agent'::text, 'direct'::text])))
);

CREATE TABLE deliveries (
  approved_by text,
  approved_name text,
  asking_player_id bigint,
  asking_server_id text,
  attempts integer NOT NULL DEFAULT 0,
  certainty text,
  cluster_ids text[] NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  desk_at timestamp(3) with time zone,
  desk_reason text,
  detail text,
  doubled_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  epoch integer NOT NULL,
  expires_at timestamp(3) with time zone,
  game text NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  job_state text NOT NULL GENERATED ALWAYS AS (
CASE state
    WHEN 'pending'::text THEN 'created'::text
    WHEN 'waiting'::text THEN 'retry'::text
    WHEN 'sending'::text THEN 'active'::text
    WHEN 'failed'::text THEN 'failed'::text
    WHEN 'cancelled'::text THEN 'cancelled'::text
    ELSE 'completed'::text
END) STORED,
  line jsonb NOT NULL,
  may_have_arrived boolean NOT NULL DEFAULT false,
  member_id bigint NOT NULL,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id text NOT NULL,
  order_line_id bigint NOT NULL,
  player_id bigint,
  points bigint NOT NULL,
  refunded_at timestamp(3) with time zone,
  rolled_back_at timestamp(3) with time zone,
  server_id text,
  server_ids text[] NOT NULL,
  started_at timestamp(3) with time zone,
  state text NOT NULL DEFAULT 'pending'::text,
  waits_for text,
  way text,
  CONSTRAINT deliveries_certainty_check CHECK ((certainty = ANY (ARRAY['proven'::text, 'settled'::text, 'unconfirmed'::text, 'decided'::text]))),
  CONSTRAINT deliveries_check CHECK (((state = 'delivered'::text) = (certainty IS NOT NULL))),
  CONSTRAINT deliveries_check1 CHECK (((state = 'waiting'::text) = (waits_for IS NOT NULL))),
  CONSTRAINT deliveries_check2 CHECK (((desk_reason IS NULL) = (desk_at IS NULL))),
  CONSTRAINT deliveries_desk_reason_check CHECK ((desk_reason = ANY (ARRAY['unknown'::text, 'rolled-back'::text, 'contradiction'::text, 'late-result'::text, 'restored'::text]))),
  CONSTRAINT deliveries_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  CONSTRAINT deliveries_number_key UNIQUE (number),
  CONSTRAINT deliveries_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT deliveries_order_line_id_fkey FOREIGN KEY (order_line_id) REFERENCES order_lines(id),
  CONSTRAINT deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT deliveries_points_check CHECK ((points >= 0)),
  CONSTRAINT deliveries_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'waiting'::text, 'sending'::text, 'delivered'::text, 'failed'::text, 'unknown'::text, 'cancelled'::text]))),
  CONSTRAINT deliveries_waits_for_check CHECK ((waits_for = ANY (ARRAY['player'::text, 'server'::text, 'survivor-number'::text, 'retry'::text, 'license'::text, 'discord'::text]))),
  CONSTRAINT deliveries_way_check CHECK ((way = ANY (ARRAY['agent'::text, 'direct'::text])))
);

CREATE TABLE delivery_attempts (
  began_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  command text NOT NULL,
  command_id text NOT NULL,
  delivery_id uuid NOT NULL,
  detail text,
  ended_at timestamp(3) with time zone,
  evidence jsonb NOT NULL DEFAULT '{}'::jsonb,
  number integer NOT NULL,
  outcome text,
  player_id bigint,
  reply text,
  server_id text NOT NULL,
  verdict text,
  way text NOT NULL,
  CONSTRAINT delivery_attempts_command_id_key UNIQUE (command_id),
  CONSTRAINT delivery_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id),
  CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, number),
  CONSTRAINT delivery_attempts_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT delivery_attempts_way_check CHECK ((way = ANY (ARRAY['agent'::text, 'direct'::text])))
);

CREATE TABLE delivery_counts (
  count bigint NOT NULL,
  job_state text NOT NULL
);

CREATE TABLE desk_rules (
  actor text NOT NULL,
  actor_name text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  decision text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  product_id text,
  server_id text,
  CONSTRAINT desk_rules_decision_check CHECK ((decision = ANY (ARRAY['delivered'::text, 'send-again'::text, 'refund'::text]))),
  CONSTRAINT desk_rules_pkey PRIMARY KEY (id),
  CONSTRAINT desk_rules_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT desk_rules_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT desk_rules_server_id_product_id_key UNIQUE NULLS NOT DISTINCT (server_id, product_id)
);

CREATE TABLE desktop_access (
  account text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  id text NOT NULL,
  last_used_at timestamp with time zone,
  secret_hash bytea NOT NULL,
  was_api_key boolean NOT NULL DEFAULT false,
  CONSTRAINT desktop_access_pkey PRIMARY KEY (id)
);

CREATE TABLE discord_admin_codes (
  admin_id text NOT NULL,
  digest bytea NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT discord_admin_codes_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admins(id) ON DELETE CASCADE,
  CONSTRAINT discord_admin_codes_digest_key UNIQUE (digest),
  CONSTRAINT discord_admin_codes_pkey PRIMARY KEY (admin_id)
);

CREATE TABLE discord_admins (
  admin_id text NOT NULL,
  discord_id text NOT NULL,
  discord_name text NOT NULL,
  linked_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT discord_admins_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admins(id) ON DELETE CASCADE,
  CONSTRAINT discord_admins_discord_id_key UNIQUE (discord_id),
  CONSTRAINT discord_admins_pkey PRIMARY KEY (admin_id)
);

CREATE TABLE discord_bought_roles (
  discord_id text NOT NULL,
  role_id text NOT NULL,
  CONSTRAINT discord_bought_roles_pkey PRIMARY KEY (discord_id, role_id)
);

CREATE TABLE discord_chat_filter (
  only_row boolean NOT NULL DEFAULT true,
  treatment text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  words text[] NOT NULL,
  CONSTRAINT discord_chat_filter_only_row_check CHECK (only_row),
  CONSTRAINT discord_chat_filter_pkey PRIMARY KEY (only_row),
  CONSTRAINT discord_chat_filter_treatment_check CHECK ((treatment = ANY (ARRAY['mask'::text, 'hold'::text])))
);

CREATE TABLE discord_chat_lanes (
  channel_id text NOT NULL,
  event_id bigint NOT NULL,
  heard text[] NOT NULL DEFAULT '{}'::text[],
  is_active boolean NOT NULL DEFAULT false,
  message_id text,
  post text,
  post_content jsonb,
  post_opened_at timestamp(3) with time zone,
  post_was_given boolean NOT NULL DEFAULT false,
  written_in xid8 NOT NULL,
  CONSTRAINT discord_chat_lanes_check CHECK ((((post IS NULL) = (post_opened_at IS NULL)) AND ((post IS NULL) = (post_content IS NULL)))),
  CONSTRAINT discord_chat_lanes_pkey PRIMARY KEY (channel_id),
  CONSTRAINT discord_chat_lanes_post_key UNIQUE (post)
);

CREATE TABLE discord_chat_relays (
  channel_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  from_servers boolean NOT NULL,
  id text NOT NULL,
  is_enabled boolean NOT NULL,
  server_id text NOT NULL,
  starts_in xid8 NOT NULL,
  to_discord boolean NOT NULL,
  to_discord_at timestamp(3) with time zone,
  to_discord_left_out bigint NOT NULL DEFAULT 0,
  to_game boolean NOT NULL,
  to_game_at timestamp(3) with time zone,
  to_game_left_out bigint NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT discord_chat_relays_channel_id_server_id_key UNIQUE (channel_id, server_id),
  CONSTRAINT discord_chat_relays_pkey PRIMARY KEY (id),
  CONSTRAINT discord_chat_relays_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id) ON DELETE CASCADE
);

CREATE TABLE discord_event_lanes (
  batch text,
  batch_event_id bigint,
  batch_left_out bigint NOT NULL DEFAULT 0,
  batch_opened_at timestamp(3) with time zone,
  batch_size integer NOT NULL DEFAULT 0,
  batch_written_in xid8,
  channel_id text NOT NULL,
  event_id bigint NOT NULL,
  lane text NOT NULL,
  left_out bigint NOT NULL DEFAULT 0,
  posted_at timestamp(3) with time zone,
  written_in xid8 NOT NULL,
  CONSTRAINT discord_event_lanes_batch_key UNIQUE (batch),
  CONSTRAINT discord_event_lanes_check CHECK ((((batch IS NULL) = (batch_written_in IS NULL)) AND ((batch IS NULL) = (batch_event_id IS NULL)) AND ((batch IS NULL) = (batch_opened_at IS NULL)))),
  CONSTRAINT discord_event_lanes_lane_check CHECK ((lane = ANY (ARRAY['alerts'::text, 'rest'::text]))),
  CONSTRAINT discord_event_lanes_pkey PRIMARY KEY (channel_id, lane)
);

CREATE TABLE discord_event_rules (
  channel_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id text NOT NULL,
  is_enabled boolean NOT NULL,
  kinds text[] NOT NULL,
  role_id text,
  server_ids text[] NOT NULL,
  severities text[] NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT discord_event_rules_pkey PRIMARY KEY (id)
);

CREATE TABLE discord_guild_members (
  discord_id text NOT NULL,
  is_bot boolean NOT NULL,
  is_pending boolean NOT NULL DEFAULT false,
  joined_at timestamp(3) with time zone,
  left_at timestamp(3) with time zone,
  name text NOT NULL,
  name_key text NOT NULL,
  role_ids text[] NOT NULL DEFAULT '{}'::text[],
  seen_in text NOT NULL,
  username text NOT NULL DEFAULT ''::text,
  CONSTRAINT discord_guild_members_pkey PRIMARY KEY (discord_id)
);

CREATE TABLE discord_guild_reports (
  began_at timestamp(3) with time zone,
  guild_id text,
  id text NOT NULL,
  listed_at timestamp(3) with time zone,
  number integer NOT NULL DEFAULT 0,
  run text,
  CONSTRAINT discord_guild_reports_id_check CHECK ((id = 'discord'::text)),
  CONSTRAINT discord_guild_reports_pkey PRIMARY KEY (id)
);

CREATE TABLE discord_role_changes (
  because text NOT NULL,
  change text NOT NULL,
  discord_id text NOT NULL,
  handed_at timestamp(3) with time zone,
  id text NOT NULL,
  is_wanted boolean NOT NULL DEFAULT true,
  is_with_bot boolean NOT NULL DEFAULT false,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  obstacle text,
  role_id text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  CONSTRAINT discord_role_changes_change_check CHECK ((change = ANY (ARRAY['give'::text, 'take'::text]))),
  CONSTRAINT discord_role_changes_discord_id_role_id_key UNIQUE (discord_id, role_id),
  CONSTRAINT discord_role_changes_pkey PRIMARY KEY (id)
);

CREATE TABLE discord_role_rights (
  discord_role_id text NOT NULL,
  name text NOT NULL,
  permissions text[] NOT NULL,
  CONSTRAINT discord_role_rights_pkey PRIMARY KEY (discord_role_id)
);

CREATE TABLE discord_role_rules (
  amount bigint,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT false,
  kind text NOT NULL,
  role_id text NOT NULL,
  role_name text NOT NULL,
  server_ids text[] NOT NULL DEFAULT '{}'::text[],
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT discord_role_rules_amount_check CHECK ((amount > 0)),
  CONSTRAINT discord_role_rules_check CHECK (((kind = ANY (ARRAY['points'::text, 'hours'::text])) = (amount IS NOT NULL))),
  CONSTRAINT discord_role_rules_check1 CHECK (((kind = 'whitelist'::text) = (cardinality(server_ids) > 0))),
  CONSTRAINT discord_role_rules_kind_check CHECK ((kind = ANY (ARRAY['linked'::text, 'points'::text, 'hours'::text, 'bought'::text, 'whitelist'::text]))),
  CONSTRAINT discord_role_rules_pkey PRIMARY KEY (id)
);

CREATE TABLE discord_settings (
  client_id text,
  guild_id text,
  id text NOT NULL,
  token text,
  version integer NOT NULL DEFAULT 0,
  CONSTRAINT discord_settings_id_check CHECK ((id = 'discord'::text)),
  CONSTRAINT discord_settings_pkey PRIMARY KEY (id)
);

CREATE TABLE discord_status_messages (
  channel_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id text NOT NULL,
  is_enabled boolean NOT NULL,
  joins jsonb NOT NULL,
  message_id text,
  post text,
  post_opened_at timestamp(3) with time zone,
  shown_at timestamp(3) with time zone,
  shown_digest text,
  shown_edited_at text,
  shows_names boolean NOT NULL,
  target_id text NOT NULL,
  target_kind text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT discord_status_messages_check CHECK (((message_id IS NULL) OR (post IS NULL))),
  CONSTRAINT discord_status_messages_check1 CHECK (((post IS NULL) = (post_opened_at IS NULL))),
  CONSTRAINT discord_status_messages_message_id_key UNIQUE (message_id),
  CONSTRAINT discord_status_messages_pkey PRIMARY KEY (id),
  CONSTRAINT discord_status_messages_post_key UNIQUE (post),
  CONSTRAINT discord_status_messages_target_kind_check CHECK ((target_kind = ANY (ARRAY['server'::text, 'cluster'::text])))
);

CREATE TABLE discord_status_removals (
  channel_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id text NOT NULL,
  message_id text,
  opened_at timestamp(3) with time zone,
  post text,
  CONSTRAINT discord_status_removals_check CHECK (((message_id IS NOT NULL) OR (post IS NOT NULL))),
  CONSTRAINT discord_status_removals_check1 CHECK (((post IS NULL) = (opened_at IS NULL))),
  CONSTRAINT discord_status_removals_message_id_key UNIQUE (message_id),
  CONSTRAINT discord_status_removals_pkey PRIMARY KEY (id),
  CONSTRAINT discord_status_removals_post_key UNIQUE (post)
);

CREATE TABLE discord_whitelist_entries (
  detail text,
  is_sent boolean NOT NULL DEFAULT false,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  player_id bigint NOT NULL,
  rule_id text NOT NULL,
  server_id text NOT NULL,
  state text NOT NULL DEFAULT 'adding'::text,
  tries integer NOT NULL DEFAULT 0,
  CONSTRAINT discord_whitelist_entries_pkey PRIMARY KEY (server_id, player_id),
  CONSTRAINT discord_whitelist_entries_player_id_fkey FOREIGN KEY (player_id) REFERENCES players(id) ON DELETE CASCADE,
  CONSTRAINT discord_whitelist_entries_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES discord_role_rules(id) ON DELETE CASCADE,
  CONSTRAINT discord_whitelist_entries_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT discord_whitelist_entries_state_check CHECK ((state = ANY (ARRAY['adding'::text, 'made'::text, 'found'::text, 'removing'::text])))
);

CREATE TABLE discounts (
  categories text[] NOT NULL DEFAULT '{}'::text[],
  code text,
  code_key text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  most_per_member integer,
  most_uses integer,
  name text NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  percent integer,
  points_off bigint,
  product_ids text[] NOT NULL DEFAULT '{}'::text[],
  removed_at timestamp(3) with time zone,
  role_ids text[] NOT NULL DEFAULT '{}'::text[],
  valid_from timestamp(3) with time zone,
  valid_until timestamp(3) with time zone,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT discounts_check CHECK ((num_nonnulls(percent, points_off) = 1)),
  CONSTRAINT discounts_check1 CHECK (((code IS NULL) = (code_key IS NULL))),
  CONSTRAINT discounts_most_per_member_check CHECK ((most_per_member > 0)),
  CONSTRAINT discounts_most_uses_check CHECK ((most_uses > 0)),
  CONSTRAINT discounts_number_key UNIQUE (number),
  CONSTRAINT discounts_percent_check CHECK (((percent >= 1) AND (percent <= 100))),
  CONSTRAINT discounts_pkey PRIMARY KEY (id),
  CONSTRAINT discounts_points_off_check CHECK ((points_off > 0))
);

CREATE TABLE encryption_keys (
  forgotten_at timestamp(3) with time zone,
  in_use_since timestamp(3) with time zone NOT NULL DEFAULT now(),
  key_id text NOT NULL,
  replaced_at timestamp(3) with time zone,
  CONSTRAINT encryption_keys_pkey PRIMARY KEY (key_id)
);

CREATE TABLE entitlement_days (
  day date NOT NULL,
  delivery_ids uuid[] NOT NULL,
  entitlement_id bigint NOT NULL,
  CONSTRAINT entitlement_days_entitlement_id_fkey FOREIGN KEY (entitlement_id) REFERENCES entitlements(id),
  CONSTRAINT entitlement_days_pkey PRIMARY KEY (entitlement_id, day)
);

CREATE TABLE entitlement_grants (
  "position" integer NOT NULL,
  delivery_id uuid NOT NULL,
  ended_at timestamp(3) with time zone,
  entitlement_id bigint NOT NULL,
  extends boolean NOT NULL,
  given_at timestamp(3) with time zone NOT NULL,
  is_daily boolean NOT NULL,
  is_placed boolean NOT NULL DEFAULT false,
  order_line_id bigint NOT NULL,
  revoked_at timestamp(3) with time zone,
  seconds bigint NOT NULL,
  CONSTRAINT entitlement_grants_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id),
  CONSTRAINT entitlement_grants_entitlement_id_fkey FOREIGN KEY (entitlement_id) REFERENCES entitlements(id),
  CONSTRAINT entitlement_grants_pkey PRIMARY KEY (delivery_id),
  CONSTRAINT entitlement_grants_seconds_check CHECK ((seconds > 0))
);

CREATE TABLE entitlement_news (
  entitlement_id bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT entitlement_news_pkey PRIMARY KEY (id)
);

CREATE TABLE entitlement_places (
  certainty text,
  changed_at timestamp(3) with time zone NOT NULL,
  command text,
  command_id text,
  delivery_id uuid NOT NULL,
  detail text,
  entitlement_id bigint NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  is_sent boolean NOT NULL DEFAULT false,
  next_try_at timestamp(3) with time zone NOT NULL,
  outcome text,
  player_id bigint,
  reply text,
  sends integer NOT NULL DEFAULT 0,
  sent_at timestamp(3) with time zone,
  server_id text NOT NULL,
  state text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  way text,
  CONSTRAINT entitlement_places_certainty_check CHECK ((certainty = ANY (ARRAY['proven'::text, 'unconfirmed'::text, 'decided'::text]))),
  CONSTRAINT entitlement_places_check CHECK (((NOT is_sent) OR (state = ANY (ARRAY['taking'::text, 'giving'::text])))),
  CONSTRAINT entitlement_places_check1 CHECK (((NOT is_sent) OR (command_id IS NOT NULL))),
  CONSTRAINT entitlement_places_command_id_key UNIQUE (command_id),
  CONSTRAINT entitlement_places_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id),
  CONSTRAINT entitlement_places_entitlement_id_fkey FOREIGN KEY (entitlement_id) REFERENCES entitlements(id),
  CONSTRAINT entitlement_places_entitlement_id_server_id_player_id_key UNIQUE NULLS NOT DISTINCT (entitlement_id, server_id, player_id),
  CONSTRAINT entitlement_places_pkey PRIMARY KEY (id),
  CONSTRAINT entitlement_places_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT entitlement_places_state_check CHECK ((state = ANY (ARRAY['held'::text, 'taking'::text, 'giving'::text, 'unknown'::text, 'taken'::text, 'given-up'::text]))),
  CONSTRAINT entitlement_places_way_check CHECK ((way = ANY (ARRAY['agent'::text, 'direct'::text])))
);

CREATE TABLE entitlements (
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  ended_at timestamp(3) with time zone,
  ends_at timestamp(3) with time zone,
  game text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  key text NOT NULL,
  member_id bigint NOT NULL,
  CONSTRAINT entitlements_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  CONSTRAINT entitlements_member_id_game_key_key UNIQUE (member_id, game, key),
  CONSTRAINT entitlements_pkey PRIMARY KEY (id)
);

CREATE TABLE event_logs (
  at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  server_id text,
  severity text NOT NULL,
  written_in xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CONSTRAINT event_logs_pkey PRIMARY KEY (at, id),
  CONSTRAINT event_logs_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'notice'::text, 'warning'::text, 'alert'::text])))
);

CREATE TABLE figures (
  at timestamp(3) with time zone NOT NULL,
  database_ms real,
  events integer,
  players real,
  queue_depth real,
  CONSTRAINT figures_pkey PRIMARY KEY (at)
);

CREATE TABLE game_agents (
  address text NOT NULL,
  agent_key text NOT NULL,
  command_journal text,
  commands_doubted boolean NOT NULL DEFAULT false,
  journal text NOT NULL,
  last_event bigint NOT NULL DEFAULT 0,
  last_seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  mode text NOT NULL,
  pinned_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  secret text,
  server_id text NOT NULL,
  version text NOT NULL,
  CONSTRAINT game_agents_mode_check CHECK ((mode = ANY (ARRAY['websocket'::text, 'polling'::text]))),
  CONSTRAINT game_agents_pkey PRIMARY KEY (server_id),
  CONSTRAINT game_agents_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE game_servers (
  archived_at timestamp(3) with time zone,
  cluster_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  game text NOT NULL,
  host text,
  id text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  password text,
  port integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT game_servers_cluster_id_fkey FOREIGN KEY (cluster_id) REFERENCES clusters(id),
  CONSTRAINT game_servers_pkey PRIMARY KEY (id)
);

CREATE TABLE item_confirmations (
  actor text NOT NULL,
  actor_name text,
  confirmed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  delivery_id uuid NOT NULL,
  game text NOT NULL,
  item text NOT NULL,
  CONSTRAINT item_confirmations_pkey PRIMARY KEY (game, item)
);

CREATE TABLE known_devices (
  admin_id text NOT NULL,
  device_hash bytea NOT NULL,
  last_used_at timestamp with time zone NOT NULL DEFAULT now(),
  password_digest bytea NOT NULL,
  CONSTRAINT known_devices_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admins(id) ON DELETE CASCADE,
  CONSTRAINT known_devices_pkey PRIMARY KEY (admin_id, device_hash)
);

CREATE TABLE ledger (
  actor text NOT NULL,
  actor_name text,
  amount bigint NOT NULL,
  at timestamp(3) with time zone NOT NULL DEFAULT now(),
  delivery_id uuid,
  from_account text NOT NULL,
  from_member bigint,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  order_id text,
  reward_kind text,
  reward_name text,
  to_account text NOT NULL,
  to_member bigint,
  CONSTRAINT ledger_amount_check CHECK ((amount > 0)),
  CONSTRAINT ledger_check CHECK (((from_account = 'wallet'::text) = (from_member IS NOT NULL))),
  CONSTRAINT ledger_check1 CHECK (((to_account = 'wallet'::text) = (to_member IS NOT NULL))),
  CONSTRAINT ledger_check2 CHECK (((from_account <> to_account) OR (from_member <> to_member))),
  CONSTRAINT ledger_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES deliveries(id),
  CONSTRAINT ledger_from_account_check CHECK ((from_account = ANY (ARRAY['wallet'::text, 'issued'::text, 'sales'::text]))),
  CONSTRAINT ledger_from_member_fkey FOREIGN KEY (from_member) REFERENCES members(id),
  CONSTRAINT ledger_kind_check CHECK ((kind = ANY (ARRAY['grant'::text, 'purchase'::text, 'refund'::text, 'charge'::text, 'correction'::text, 'transfer'::text, 'merge'::text, 'reward'::text, 'season'::text]))),
  CONSTRAINT ledger_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT ledger_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_reward CHECK ((((kind = 'reward'::text) = (reward_kind IS NOT NULL)) AND ((reward_kind IS NULL) = (reward_name IS NULL)))),
  CONSTRAINT ledger_reward_kind_check CHECK ((reward_kind = ANY (ARRAY['interval'::text, 'first-visit'::text, 'daily'::text, 'code'::text]))),
  CONSTRAINT ledger_to_account_check CHECK ((to_account = ANY (ARRAY['wallet'::text, 'issued'::text, 'sales'::text]))),
  CONSTRAINT ledger_to_member_fkey FOREIGN KEY (to_member) REFERENCES members(id)
);

CREATE TABLE ledger_notes (
  entry_id bigint NOT NULL,
  note text NOT NULL,
  CONSTRAINT ledger_notes_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger(id),
  CONSTRAINT ledger_notes_pkey PRIMARY KEY (entry_id)
);

CREATE TABLE member_link_codes (
  digest bytea NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  member_id bigint NOT NULL,
  CONSTRAINT member_link_codes_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  CONSTRAINT member_link_codes_member_id_key UNIQUE (member_id),
  CONSTRAINT member_link_codes_pkey PRIMARY KEY (digest)
);

CREATE TABLE member_merges (
  actor text NOT NULL,
  actor_name text,
  at timestamp(3) with time zone NOT NULL DEFAULT now(),
  discord_id text,
  entries_before bigint NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kept_id bigint NOT NULL,
  member_ids bigint[] NOT NULL,
  merged_id bigint NOT NULL,
  player_ids bigint[] NOT NULL,
  points bigint NOT NULL,
  points_returned bigint,
  undone_at timestamp(3) with time zone,
  CONSTRAINT member_merges_kept_id_fkey FOREIGN KEY (kept_id) REFERENCES members(id),
  CONSTRAINT member_merges_merged_id_fkey FOREIGN KEY (merged_id) REFERENCES members(id),
  CONSTRAINT member_merges_pkey PRIMARY KEY (id)
);

CREATE TABLE members (
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  discord_id text,
  erased_at timestamp(3) with time zone,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  merged_into bigint,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT members_check CHECK (((merged_into IS NULL) OR (discord_id IS NULL))),
  CONSTRAINT members_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES members(id),
  CONSTRAINT members_pkey PRIMARY KEY (id)
);

CREATE TABLE mod_checks (
  checked_at timestamp(3) with time zone,
  found jsonb,
  leased_until timestamp(3) with time zone,
  next_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  server_id text NOT NULL,
  told text,
  CONSTRAINT mod_checks_pkey PRIMARY KEY (server_id),
  CONSTRAINT mod_checks_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE mod_dependencies (
  key text NOT NULL,
  server_id text NOT NULL,
  CONSTRAINT mod_dependencies_pkey PRIMARY KEY (server_id, key),
  CONSTRAINT mod_dependencies_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE mod_jobs (
  actor text NOT NULL,
  actor_name text NOT NULL,
  address text NOT NULL,
  began_at timestamp(3) with time zone,
  change jsonb NOT NULL,
  detail text,
  ended_at timestamp(3) with time zone,
  id uuid NOT NULL,
  idempotency_key text,
  inverse jsonb,
  is_cancelled boolean NOT NULL DEFAULT false,
  job_state text NOT NULL GENERATED ALWAYS AS (
CASE state
    WHEN 'waiting'::text THEN
    CASE tries
        WHEN 0 THEN 'created'::text
        ELSE 'retry'::text
    END
    WHEN 'running'::text THEN 'active'::text
    WHEN 'done'::text THEN 'completed'::text
    WHEN 'cancelled'::text THEN 'cancelled'::text
    ELSE 'failed'::text
END) STORED,
  kind text NOT NULL,
  lines jsonb NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  outcome text,
  proves jsonb,
  request text NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  result jsonb,
  server_id text NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  task_id text,
  tries integer NOT NULL DEFAULT 0,
  waits_for text,
  wave text,
  CONSTRAINT mod_jobs_check CHECK (((ended_at IS NULL) = (state = ANY (ARRAY['waiting'::text, 'running'::text])))),
  CONSTRAINT mod_jobs_check1 CHECK (((state <> 'running'::text) OR (task_id IS NOT NULL))),
  CONSTRAINT mod_jobs_kind_check CHECK ((kind = ANY (ARRAY['change'::text, 'undo'::text, 'set'::text]))),
  CONSTRAINT mod_jobs_number_key UNIQUE (number),
  CONSTRAINT mod_jobs_pkey PRIMARY KEY (id),
  CONSTRAINT mod_jobs_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT mod_jobs_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text, 'unknown'::text]))),
  CONSTRAINT mod_jobs_waits_for_check CHECK ((waits_for = ANY (ARRAY['agent'::text, 'queue'::text, 'job'::text, 'license'::text, 'wave'::text])))
);

CREATE TABLE mod_pins (
  at timestamp(3) with time zone NOT NULL DEFAULT now(),
  by_name text NOT NULL,
  key text NOT NULL,
  reason text NOT NULL,
  server_id text NOT NULL,
  until text,
  CONSTRAINT mod_pins_pkey PRIMARY KEY (server_id, key),
  CONSTRAINT mod_pins_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE mod_plans (
  base bigint NOT NULL,
  change jsonb NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  faults jsonb NOT NULL,
  id text NOT NULL,
  inverse jsonb,
  kind text NOT NULL,
  lines jsonb NOT NULL,
  made_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  server_id text NOT NULL,
  CONSTRAINT mod_plans_kind_check CHECK ((kind = ANY (ARRAY['change'::text, 'undo'::text, 'set'::text]))),
  CONSTRAINT mod_plans_pkey PRIMARY KEY (id),
  CONSTRAINT mod_plans_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE mod_player_lists (
  server_id text NOT NULL,
  shared_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  token text NOT NULL,
  CONSTRAINT mod_player_lists_pkey PRIMARY KEY (server_id),
  CONSTRAINT mod_player_lists_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT mod_player_lists_token_key UNIQUE (token)
);

CREATE TABLE mod_sets (
  changed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  changed_by_name text NOT NULL,
  game text NOT NULL,
  id text NOT NULL,
  items jsonb NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT mod_sets_name_key_key UNIQUE (name_key),
  CONSTRAINT mod_sets_pkey PRIMARY KEY (id)
);

CREATE TABLE mod_uploads (
  begun_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  begun_by text,
  bytes bigint NOT NULL,
  content jsonb,
  id text NOT NULL,
  idle_until timestamp(3) with time zone,
  name text NOT NULL,
  received bigint NOT NULL DEFAULT 0,
  reserved bigint NOT NULL DEFAULT 0,
  server_id text NOT NULL,
  sha1 text,
  sha512 text,
  CONSTRAINT mod_uploads_pkey PRIMARY KEY (id),
  CONSTRAINT mod_uploads_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE mod_wave_servers (
  "position" integer NOT NULL,
  detail text,
  faults jsonb NOT NULL DEFAULT '[]'::jsonb,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  server_id text NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  wave_id text NOT NULL,
  CONSTRAINT mod_wave_servers_pkey PRIMARY KEY (wave_id, "position"),
  CONSTRAINT mod_wave_servers_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT mod_wave_servers_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'nothing'::text, 'blocked'::text]))),
  CONSTRAINT mod_wave_servers_wave_id_fkey FOREIGN KEY (wave_id) REFERENCES mod_waves(id) ON DELETE CASCADE,
  CONSTRAINT mod_wave_servers_wave_id_server_id_key UNIQUE (wave_id, server_id)
);

CREATE TABLE mod_waves (
  actor text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  address text NOT NULL,
  desktop_access_id text,
  detail text,
  ended_at timestamp(3) with time zone,
  id text NOT NULL,
  idempotency_key text,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  request text NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  set_version integer,
  state text NOT NULL DEFAULT 'first'::text,
  CONSTRAINT mod_waves_check CHECK (((state = ANY (ARRAY['first'::text, 'others'::text])) = (ended_at IS NULL))),
  CONSTRAINT mod_waves_pkey PRIMARY KEY (id),
  CONSTRAINT mod_waves_state_check CHECK ((state = ANY (ARRAY['first'::text, 'others'::text, 'done'::text, 'stopped'::text, 'cancelled'::text])))
);

CREATE TABLE order_line_stocks (
  order_line_id bigint NOT NULL,
  oversold integer NOT NULL DEFAULT 0,
  pieces integer NOT NULL,
  product_id text NOT NULL,
  CONSTRAINT order_line_stocks_check CHECK (((oversold >= 0) AND (oversold <= pieces))),
  CONSTRAINT order_line_stocks_order_line_id_fkey FOREIGN KEY (order_line_id) REFERENCES order_lines(id),
  CONSTRAINT order_line_stocks_pieces_check CHECK ((pieces > 0)),
  CONSTRAINT order_line_stocks_pkey PRIMARY KEY (order_line_id, product_id),
  CONSTRAINT order_line_stocks_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);

CREATE TABLE order_lines (
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id text NOT NULL,
  oversold integer NOT NULL DEFAULT 0,
  product_id text NOT NULL,
  product_version integer NOT NULL,
  quantity integer NOT NULL,
  receiver_id bigint NOT NULL,
  restocked_at timestamp(3) with time zone,
  undone_at timestamp(3) with time zone,
  unit_price bigint NOT NULL,
  CONSTRAINT order_lines_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  CONSTRAINT order_lines_oversold CHECK (((oversold >= 0) AND (oversold <= quantity))),
  CONSTRAINT order_lines_pkey PRIMARY KEY (id),
  CONSTRAINT order_lines_product_id_product_version_fkey FOREIGN KEY (product_id, product_version) REFERENCES product_versions(product_id, version),
  CONSTRAINT order_lines_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT order_lines_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES members(id),
  CONSTRAINT order_lines_unit_price_check CHECK ((unit_price >= 0))
);

CREATE TABLE order_requests (
  body_digest bytea NOT NULL,
  caller text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  key text NOT NULL,
  order_id text NOT NULL,
  CONSTRAINT order_requests_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT order_requests_pkey PRIMARY KEY (caller, key)
);

CREATE TABLE orders (
  actor text NOT NULL,
  actor_name text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  discount_id text,
  discount_name text,
  id text NOT NULL,
  member_id bigint NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  receiver_id bigint NOT NULL,
  source text NOT NULL,
  total bigint NOT NULL,
  CONSTRAINT orders_discount CHECK (((discount_id IS NULL) = (discount_name IS NULL))),
  CONSTRAINT orders_discount_id_fkey FOREIGN KEY (discount_id) REFERENCES discounts(id),
  CONSTRAINT orders_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  CONSTRAINT orders_number_key UNIQUE (number),
  CONSTRAINT orders_pkey PRIMARY KEY (id),
  CONSTRAINT orders_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES members(id),
  CONSTRAINT orders_source_check CHECK ((source = ANY (ARRAY['panel'::text, 'api'::text, 'test'::text, 'chat'::text, 'shop'::text, 'season'::text]))),
  CONSTRAINT orders_total_check CHECK ((total >= 0))
);

CREATE TABLE own_items (
  game text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  CONSTRAINT own_items_pkey PRIMARY KEY (game, id)
);

CREATE TABLE player_names (
  first_seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  name text NOT NULL,
  name_key text NOT NULL,
  player_id bigint NOT NULL,
  CONSTRAINT player_names_pkey PRIMARY KEY (player_id, name),
  CONSTRAINT player_names_player_id_fkey FOREIGN KEY (player_id) REFERENCES players(id) ON DELETE CASCADE
);

CREATE TABLE player_sessions (
  confirmed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  handle text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  joined_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  last_seen_at timestamp(3) with time zone NOT NULL GENERATED ALWAYS AS (COALESCE(left_at, confirmed_at)) STORED,
  left_at timestamp(3) with time zone,
  player_id bigint NOT NULL,
  recorded_at timestamp(3) with time zone DEFAULT now(),
  server_id text NOT NULL,
  CONSTRAINT player_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT player_sessions_player_id_fkey FOREIGN KEY (player_id) REFERENCES players(id) ON DELETE CASCADE,
  CONSTRAINT player_sessions_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE players (
  first_seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  game text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  identity text NOT NULL,
  last_seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  member_id bigint,
  name text NOT NULL,
  name_key text NOT NULL,
  platform_id text,
  CONSTRAINT players_identity_key UNIQUE (identity),
  CONSTRAINT players_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  CONSTRAINT players_pkey PRIMARY KEY (id)
);

CREATE TABLE power_acts (
  action text NOT NULL,
  actor text NOT NULL,
  actor_name text NOT NULL,
  address text NOT NULL,
  countdown_seconds integer NOT NULL,
  detail text,
  ended_at timestamp(3) with time zone,
  id text NOT NULL,
  idempotency_key text,
  is_cancelled boolean NOT NULL DEFAULT false,
  outcome text,
  program jsonb,
  requested_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  server_id text NOT NULL,
  CONSTRAINT power_acts_action_check CHECK ((action = ANY (ARRAY['start'::text, 'stop'::text, 'restart'::text, 'kill'::text]))),
  CONSTRAINT power_acts_check CHECK (((outcome IS NULL) = (ended_at IS NULL))),
  CONSTRAINT power_acts_countdown_seconds_check CHECK (((countdown_seconds >= 0) AND (countdown_seconds <= 3600))),
  CONSTRAINT power_acts_pkey PRIMARY KEY (id),
  CONSTRAINT power_acts_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE product_pictures (
  bytes bytea NOT NULL,
  height integer NOT NULL,
  media_type text NOT NULL,
  product_id text NOT NULL,
  sha256 text NOT NULL,
  width integer NOT NULL,
  CONSTRAINT product_pictures_media_type_check CHECK ((media_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))),
  CONSTRAINT product_pictures_pkey PRIMARY KEY (product_id),
  CONSTRAINT product_pictures_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);

CREATE TABLE product_versions (
  approved_at timestamp(3) with time zone,
  approved_by text,
  approved_name text,
  category text NOT NULL,
  cluster_ids text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  description text NOT NULL,
  game text NOT NULL,
  limits jsonb NOT NULL DEFAULT '{}'::jsonb,
  lines jsonb NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  price bigint NOT NULL,
  price_schedule jsonb NOT NULL DEFAULT '[]'::jsonb,
  product_id text NOT NULL,
  server_ids text[] NOT NULL DEFAULT '{}'::text[],
  version integer NOT NULL,
  CONSTRAINT product_versions_pkey PRIMARY KEY (product_id, version),
  CONSTRAINT product_versions_price_check CHECK ((price >= 0)),
  CONSTRAINT product_versions_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);

CREATE TABLE products (
  "position" integer NOT NULL DEFAULT 1000000,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  held_at timestamp(3) with time zone,
  held_reason text,
  id text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT false,
  limits_since timestamp(3) with time zone,
  on_wipe text NOT NULL DEFAULT 'nothing'::text,
  regrant_most integer,
  short_code text,
  stock integer,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT products_on_wipe_check CHECK ((on_wipe = ANY (ARRAY['nothing'::text, 'regrant'::text]))),
  CONSTRAINT products_pkey PRIMARY KEY (id),
  CONSTRAINT products_regrant_most_check CHECK ((regrant_most > 0)),
  CONSTRAINT products_short_code_shape CHECK ((short_code ~ '^[A-Z][A-Z0-9]{1,11}$'::text)),
  CONSTRAINT products_stock CHECK ((stock >= 0))
);

CREATE TABLE proven_time (
  booted_at timestamp(3) with time zone NOT NULL,
  is_only boolean NOT NULL DEFAULT true,
  jumped_at timestamp(3) with time zone,
  seen_at timestamp(3) with time zone NOT NULL,
  trusted_at timestamp(3) with time zone NOT NULL,
  unproven_ms bigint NOT NULL DEFAULT 0,
  until timestamp(3) with time zone,
  CONSTRAINT proven_time_is_only_check CHECK (is_only),
  CONSTRAINT proven_time_pkey PRIMARY KEY (is_only),
  CONSTRAINT proven_time_unproven_ms_check CHECK ((unproven_ms >= 0))
);

CREATE TABLE queue_failures (
  failures_total bigint NOT NULL DEFAULT 0,
  queue text NOT NULL,
  CONSTRAINT queue_failures_pkey PRIMARY KEY (queue)
);

CREATE TABLE queue_pauses (
  actor text NOT NULL,
  actor_name text,
  paused_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  queue text NOT NULL,
  CONSTRAINT queue_pauses_pkey PRIMARY KEY (queue)
);

CREATE TABLE recovery_codes (
  admin_id text NOT NULL,
  code_hash bytea NOT NULL,
  CONSTRAINT recovery_codes_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admins(id) ON DELETE CASCADE,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (admin_id, code_hash)
);

CREATE TABLE restore_runs (
  action text NOT NULL,
  actor text NOT NULL,
  actor_name text NOT NULL,
  address text NOT NULL,
  backup text NOT NULL,
  countdown_seconds integer,
  detail text,
  ended_at timestamp(3) with time zone,
  id text NOT NULL,
  idempotency_key text,
  maker text,
  outcome text,
  problem text,
  request text NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  server_id text NOT NULL,
  settled text,
  starts boolean NOT NULL,
  step text NOT NULL,
  stops boolean,
  waits_since timestamp(3) with time zone,
  waits_told boolean NOT NULL DEFAULT false,
  CONSTRAINT restore_runs_action_check CHECK ((action = ANY (ARRAY['restore'::text, 'undo'::text]))),
  CONSTRAINT restore_runs_check CHECK (((outcome IS NULL) = (ended_at IS NULL))),
  CONSTRAINT restore_runs_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT restore_runs_pkey PRIMARY KEY (id),
  CONSTRAINT restore_runs_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT restore_runs_settled_check CHECK ((settled = ANY (ARRAY['done'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT restore_runs_step_check CHECK ((step = ANY (ARRAY['stopping'::text, 'restoring'::text, 'starting'::text])))
);

CREATE TABLE reward_claims (
  day date NOT NULL,
  member_id bigint NOT NULL,
  points bigint NOT NULL,
  rule_id text NOT NULL,
  streak integer NOT NULL,
  CONSTRAINT reward_claims_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  CONSTRAINT reward_claims_pkey PRIMARY KEY (rule_id, member_id, day),
  CONSTRAINT reward_claims_points_check CHECK ((points > 0)),
  CONSTRAINT reward_claims_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES reward_rules(id),
  CONSTRAINT reward_claims_streak_check CHECK ((streak > 0))
);

CREATE TABLE reward_code_batches (
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  games text[] NOT NULL,
  id text NOT NULL,
  is_enabled boolean NOT NULL DEFAULT true,
  most_per_member integer NOT NULL,
  most_uses integer,
  name text NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  points bigint NOT NULL,
  server_ids text[] NOT NULL,
  valid_from timestamp(3) with time zone,
  valid_until timestamp(3) with time zone,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT reward_code_batches_most_per_member_check CHECK ((most_per_member > 0)),
  CONSTRAINT reward_code_batches_most_uses_check CHECK ((most_uses > 0)),
  CONSTRAINT reward_code_batches_number_key UNIQUE (number),
  CONSTRAINT reward_code_batches_pkey PRIMARY KEY (id),
  CONSTRAINT reward_code_batches_points_check CHECK ((points > 0))
);

CREATE TABLE reward_code_uses (
  code_id bigint NOT NULL,
  member_id bigint NOT NULL,
  nth integer NOT NULL,
  request_key text,
  used_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT reward_code_uses_code_id_fkey FOREIGN KEY (code_id) REFERENCES reward_codes(id),
  CONSTRAINT reward_code_uses_code_id_member_id_request_key_key UNIQUE (code_id, member_id, request_key),
  CONSTRAINT reward_code_uses_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  CONSTRAINT reward_code_uses_nth_check CHECK ((nth > 0)),
  CONSTRAINT reward_code_uses_pkey PRIMARY KEY (code_id, member_id, nth)
);

CREATE TABLE reward_codes (
  batch_id text NOT NULL,
  code text NOT NULL,
  code_key text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT reward_codes_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES reward_code_batches(id),
  CONSTRAINT reward_codes_code_key_key UNIQUE (code_key),
  CONSTRAINT reward_codes_pkey PRIMARY KEY (id)
);

CREATE TABLE reward_counted_times (
  counted tstzmultirange NOT NULL,
  rule_id text NOT NULL,
  session_id bigint NOT NULL,
  CONSTRAINT reward_counted_times_pkey PRIMARY KEY (rule_id, session_id),
  CONSTRAINT reward_counted_times_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES reward_rules(id),
  CONSTRAINT reward_counted_times_session_id_fkey FOREIGN KEY (session_id) REFERENCES player_sessions(id) ON DELETE CASCADE
);

CREATE TABLE reward_first_visits (
  at timestamp(3) with time zone NOT NULL DEFAULT now(),
  member_id bigint NOT NULL,
  rule_id text NOT NULL,
  CONSTRAINT reward_first_visits_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  CONSTRAINT reward_first_visits_pkey PRIMARY KEY (rule_id, member_id),
  CONSTRAINT reward_first_visits_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES reward_rules(id)
);

CREATE TABLE reward_gifts (
  day date,
  expires_at timestamp(3) with time zone NOT NULL,
  from_member bigint NOT NULL,
  given_at timestamp(3) with time zone,
  id text NOT NULL,
  points bigint NOT NULL,
  to_member bigint NOT NULL,
  CONSTRAINT reward_gifts_check CHECK (((given_at IS NULL) = (day IS NULL))),
  CONSTRAINT reward_gifts_check1 CHECK ((from_member <> to_member)),
  CONSTRAINT reward_gifts_from_member_fkey FOREIGN KEY (from_member) REFERENCES members(id) ON DELETE CASCADE,
  CONSTRAINT reward_gifts_pkey PRIMARY KEY (id),
  CONSTRAINT reward_gifts_points_check CHECK ((points > 0)),
  CONSTRAINT reward_gifts_to_member_fkey FOREIGN KEY (to_member) REFERENCES members(id) ON DELETE CASCADE
);

CREATE TABLE reward_guesses (
  counted_at timestamp with time zone NOT NULL,
  scope text NOT NULL,
  subject bytea NOT NULL,
  tokens double precision NOT NULL,
  CONSTRAINT reward_guesses_pkey PRIMARY KEY (scope, subject)
);

CREATE TABLE reward_intervals (
  day date NOT NULL,
  ended_at timestamp(3) with time zone NOT NULL,
  member_id bigint NOT NULL,
  number integer NOT NULL,
  points bigint NOT NULL,
  rule_id text NOT NULL,
  CONSTRAINT reward_intervals_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id) ON DELETE CASCADE,
  CONSTRAINT reward_intervals_number_check CHECK ((number > 0)),
  CONSTRAINT reward_intervals_pkey PRIMARY KEY (rule_id, member_id, number),
  CONSTRAINT reward_intervals_points_check CHECK ((points >= 0)),
  CONSTRAINT reward_intervals_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES reward_rules(id)
);

CREATE TABLE reward_rule_versions (
  effective_from timestamp(3) with time zone NOT NULL,
  effective_until timestamp(3) with time zone,
  kind text NOT NULL,
  name text NOT NULL,
  rule_id text NOT NULL,
  terms jsonb NOT NULL,
  version integer NOT NULL,
  CONSTRAINT reward_rule_versions_check CHECK ((effective_until >= effective_from)),
  CONSTRAINT reward_rule_versions_kind_check CHECK ((kind = ANY (ARRAY['interval'::text, 'first-visit'::text, 'daily'::text]))),
  CONSTRAINT reward_rule_versions_pkey PRIMARY KEY (rule_id, version),
  CONSTRAINT reward_rule_versions_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES reward_rules(id)
);

CREATE TABLE reward_rules (
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id text NOT NULL,
  is_enabled boolean NOT NULL,
  name text NOT NULL,
  terms jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT reward_rules_pkey PRIMARY KEY (id)
);

CREATE TABLE roles (
  id text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  permissions text[],
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT roles_name_key_key UNIQUE (name_key),
  CONSTRAINT roles_pkey PRIMARY KEY (id)
);

CREATE TABLE save_acts (
  action text NOT NULL,
  actor text NOT NULL,
  actor_name text NOT NULL,
  address text NOT NULL,
  backup text,
  detail text,
  ended_at timestamp(3) with time zone,
  id text NOT NULL,
  idempotency_key text,
  is_cancelled boolean NOT NULL DEFAULT false,
  outcome text,
  request text NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  server_id text NOT NULL,
  CONSTRAINT save_acts_action_check CHECK ((action = ANY (ARRAY['backup'::text, 'restore'::text, 'undo'::text, 'confirm'::text]))),
  CONSTRAINT save_acts_check CHECK (((outcome IS NULL) = (ended_at IS NULL))),
  CONSTRAINT save_acts_pkey PRIMARY KEY (id),
  CONSTRAINT save_acts_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE saved_commands (
  command text NOT NULL,
  game text,
  id text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT saved_commands_name_key_key UNIQUE (name_key),
  CONSTRAINT saved_commands_pkey PRIMARY KEY (id)
);

CREATE TABLE saves_schedules (
  at_minute integer,
  changed_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  changed_by text NOT NULL,
  days integer,
  failure text,
  keep integer,
  server_id text NOT NULL,
  version integer NOT NULL,
  CONSTRAINT saves_schedules_check CHECK ((((at_minute IS NULL) = (keep IS NULL)) AND ((keep IS NULL) = (days IS NULL)))),
  CONSTRAINT saves_schedules_pkey PRIMARY KEY (server_id),
  CONSTRAINT saves_schedules_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE schema_migrations (
  "timestamp" character varying(255) NOT NULL,
  name character varying(255) NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE schema_migrations_lock (
  id character varying(255) NOT NULL,
  is_locked integer NOT NULL DEFAULT 0,
  CONSTRAINT schema_migrations_lock_pkey PRIMARY KEY (id)
);

CREATE TABLE season_steps (
  detail text,
  entry_id bigint,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  limits_since_was timestamp(3) with time zone,
  member_id bigint,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  order_id text,
  part integer NOT NULL DEFAULT 1,
  points bigint,
  product_id text,
  quantity integer,
  season_id text NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  tries integer NOT NULL DEFAULT 0,
  undo_entry_id bigint,
  CONSTRAINT season_steps_check CHECK (((kind = 'limit'::text) = (member_id IS NULL))),
  CONSTRAINT season_steps_check1 CHECK (((kind = 'balance'::text) = (product_id IS NULL))),
  CONSTRAINT season_steps_check2 CHECK (((kind = 'regrant'::text) = (quantity IS NOT NULL))),
  CONSTRAINT season_steps_check3 CHECK (((kind = 'balance'::text) = (points IS NOT NULL))),
  CONSTRAINT season_steps_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger(id),
  CONSTRAINT season_steps_kind_check CHECK ((kind = ANY (ARRAY['balance'::text, 'limit'::text, 'regrant'::text]))),
  CONSTRAINT season_steps_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  CONSTRAINT season_steps_once UNIQUE NULLS NOT DISTINCT (season_id, kind, member_id, product_id, part),
  CONSTRAINT season_steps_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT season_steps_part_check CHECK ((part > 0)),
  CONSTRAINT season_steps_pkey PRIMARY KEY (id),
  CONSTRAINT season_steps_points_check CHECK ((points >= 0)),
  CONSTRAINT season_steps_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT season_steps_quantity_check CHECK ((quantity > 0)),
  CONSTRAINT season_steps_season_id_fkey FOREIGN KEY (season_id) REFERENCES seasons(id),
  CONSTRAINT season_steps_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'skipped'::text, 'undone'::text]))),
  CONSTRAINT season_steps_undo_entry_id_fkey FOREIGN KEY (undo_entry_id) REFERENCES ledger(id)
);

CREATE TABLE seasons (
  actor text NOT NULL,
  actor_name text,
  announced_at timestamp(3) with time zone,
  announcement jsonb NOT NULL DEFAULT '{}'::jsonb,
  balances jsonb NOT NULL,
  began_at timestamp(3) with time zone NOT NULL,
  cluster_ids text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  ended_at timestamp(3) with time zone,
  game text NOT NULL,
  id text NOT NULL,
  name text NOT NULL,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  scope_server_ids text[],
  server_ids text[] NOT NULL DEFAULT '{}'::text[],
  state text NOT NULL DEFAULT 'running'::text,
  undone_at timestamp(3) with time zone,
  undone_by text,
  CONSTRAINT seasons_number_key UNIQUE (number),
  CONSTRAINT seasons_pkey PRIMARY KEY (id),
  CONSTRAINT seasons_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text, 'undoing'::text, 'undone'::text])))
);

CREATE TABLE secret_reencryptions (
  done integer NOT NULL DEFAULT 0,
  ended_at timestamp with time zone,
  failed integer NOT NULL DEFAULT 0,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  requested_at timestamp with time zone NOT NULL DEFAULT now(),
  requested_by jsonb NOT NULL,
  total integer,
  CONSTRAINT secret_reencryptions_pkey PRIMARY KEY (id)
);

CREATE TABLE server_figures (
  answer_ms_count integer NOT NULL DEFAULT 0,
  answer_ms_sum double precision NOT NULL DEFAULT 0,
  at timestamp(3) with time zone NOT NULL,
  players_count integer NOT NULL DEFAULT 0,
  players_sum double precision NOT NULL DEFAULT 0,
  server_id text NOT NULL,
  step_seconds integer NOT NULL,
  CONSTRAINT server_figures_pkey PRIMARY KEY (server_id, step_seconds, at),
  CONSTRAINT server_figures_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE server_grants (
  admin_id text NOT NULL,
  role text NOT NULL,
  server_id text NOT NULL,
  CONSTRAINT server_grants_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admins(id) ON DELETE CASCADE,
  CONSTRAINT server_grants_pkey PRIMARY KEY (admin_id, server_id),
  CONSTRAINT server_grants_role_fkey FOREIGN KEY (role) REFERENCES roles(id)
);

CREATE TABLE server_mods (
  list jsonb NOT NULL,
  listed_at timestamp(3) with time zone NOT NULL,
  server_id text NOT NULL,
  CONSTRAINT server_mods_pkey PRIMARY KEY (server_id),
  CONSTRAINT server_mods_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE server_processes (
  crash_at timestamp(3) with time zone,
  report jsonb NOT NULL,
  reported_at timestamp(3) with time zone NOT NULL,
  server_id text NOT NULL,
  CONSTRAINT server_processes_pkey PRIMARY KEY (server_id),
  CONSTRAINT server_processes_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE server_saves (
  list jsonb NOT NULL,
  listed_at timestamp(3) with time zone NOT NULL,
  nightly_failure_at timestamp(3) with time zone,
  server_id text NOT NULL,
  told_until timestamp(3) with time zone,
  CONSTRAINT server_saves_pkey PRIMARY KEY (server_id),
  CONSTRAINT server_saves_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id)
);

CREATE TABLE sessions (
  address text NOT NULL,
  admin_id text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  id text NOT NULL,
  last_used_at timestamp with time zone NOT NULL DEFAULT now(),
  stepped_up_at timestamp with time zone,
  token_hash bytea NOT NULL,
  user_agent text NOT NULL,
  CONSTRAINT sessions_admin_id_fkey FOREIGN KEY (admin_id) REFERENCES admins(id) ON DELETE CASCADE,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_token_hash_key UNIQUE (token_hash)
);

CREATE TABLE settings (
  "values" jsonb NOT NULL DEFAULT '{}'::jsonb,
  section text NOT NULL,
  version integer NOT NULL DEFAULT 0,
  CONSTRAINT settings_pkey PRIMARY KEY (section)
);

CREATE TABLE settings_secrets (
  field text NOT NULL,
  sealed text NOT NULL,
  section text NOT NULL,
  CONSTRAINT settings_secrets_pkey PRIMARY KEY (section, field)
);

CREATE TABLE setup_link (
  only_one boolean NOT NULL DEFAULT true,
  token_hash bytea NOT NULL,
  CONSTRAINT setup_link_only_one_check CHECK (only_one),
  CONSTRAINT setup_link_pkey PRIMARY KEY (only_one)
);

CREATE TABLE shop_events (
  arrived_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  conflicts integer NOT NULL DEFAULT 0,
  digest bytea NOT NULL,
  event_id text NOT NULL,
  facts jsonb NOT NULL,
  refs text[] NOT NULL,
  shop_id text NOT NULL,
  shop_order_id text,
  type text NOT NULL,
  CONSTRAINT shop_events_pkey PRIMARY KEY (shop_id, event_id),
  CONSTRAINT shop_events_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shops(id),
  CONSTRAINT shop_events_shop_order_id_fkey FOREIGN KEY (shop_order_id) REFERENCES shop_orders(id)
);

CREATE TABLE shop_order_news (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id text NOT NULL,
  CONSTRAINT shop_order_news_pkey PRIMARY KEY (id)
);

CREATE TABLE shop_orders (
  added_order_ids text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  decisions jsonb NOT NULL DEFAULT '{}'::jsonb,
  detail text NOT NULL DEFAULT ''::text,
  external_id text NOT NULL,
  given jsonb,
  id text NOT NULL,
  is_taken boolean NOT NULL DEFAULT false,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  order_id text,
  reason text,
  reason_key text,
  receiver_id bigint,
  refs text[] NOT NULL,
  seen_game text,
  seen_ids text[] NOT NULL DEFAULT '{}'::text[],
  seen_name text,
  shop_id text NOT NULL,
  state text NOT NULL DEFAULT 'open'::text,
  taken_back_at timestamp(3) with time zone,
  taken_products text[] NOT NULL DEFAULT '{}'::text[],
  taking_order_id text,
  times_given integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT shop_orders_number_key UNIQUE (number),
  CONSTRAINT shop_orders_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT shop_orders_pkey PRIMARY KEY (id),
  CONSTRAINT shop_orders_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES members(id),
  CONSTRAINT shop_orders_shop_id_external_id_key UNIQUE (shop_id, external_id),
  CONSTRAINT shop_orders_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shops(id),
  CONSTRAINT shop_orders_state_check CHECK ((state = ANY (ARRAY['open'::text, 'waiting'::text, 'person'::text, 'given'::text, 'taken-back'::text, 'not-given'::text, 'set-aside'::text])))
);

CREATE TABLE shop_products (
  outside_key text NOT NULL,
  product_id text,
  quantity integer NOT NULL,
  shop_id text NOT NULL,
  CONSTRAINT shop_products_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT shop_products_quantity_check CHECK (((quantity >= 1) AND (quantity <= 1000))),
  CONSTRAINT shop_products_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shops(id),
  CONSTRAINT shop_products_shop_id_outside_key_product_id_key UNIQUE NULLS NOT DISTINCT (shop_id, outside_key, product_id)
);

CREATE TABLE shop_secrets (
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  id text NOT NULL,
  secret text NOT NULL,
  shop_id text NOT NULL,
  CONSTRAINT shop_secrets_pkey PRIMARY KEY (id),
  CONSTRAINT shop_secrets_shop_id_fkey FOREIGN KEY (shop_id) REFERENCES shops(id)
);

CREATE TABLE shops (
  allows_names boolean NOT NULL,
  checks_address boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  game text NOT NULL,
  id text NOT NULL,
  is_enabled boolean NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  refused_at jsonb NOT NULL DEFAULT '{}'::jsonb,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT shops_kind_check CHECK ((kind = ANY (ARRAY['generic'::text, 'tebex'::text, 'stripe'::text]))),
  CONSTRAINT shops_pkey PRIMARY KEY (id)
);

CREATE TABLE state_beginnings (
  since timestamp(3) with time zone NOT NULL,
  state text NOT NULL,
  subject text NOT NULL,
  CONSTRAINT state_beginnings_pkey PRIMARY KEY (subject)
);

CREATE TABLE store_state (
  epoch integer NOT NULL DEFAULT 1,
  epoch_since timestamp(3) with time zone,
  id boolean NOT NULL DEFAULT true,
  incarnation text,
  unlicensed_since timestamp(3) with time zone,
  CONSTRAINT store_state_id_check CHECK (id),
  CONSTRAINT store_state_pkey PRIMARY KEY (id)
);

CREATE TABLE survivor_numbers (
  found_in text,
  number text NOT NULL,
  player_id bigint NOT NULL,
  server_id text NOT NULL,
  set_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  source text NOT NULL,
  CONSTRAINT survivor_numbers_pkey PRIMARY KEY (player_id, server_id),
  CONSTRAINT survivor_numbers_player_id_fkey FOREIGN KEY (player_id) REFERENCES players(id) ON DELETE CASCADE,
  CONSTRAINT survivor_numbers_server_id_fkey FOREIGN KEY (server_id) REFERENCES game_servers(id),
  CONSTRAINT survivor_numbers_source_check CHECK ((source = ANY (ARRAY['staff'::text, 'agent'::text, 'player'::text])))
);

CREATE TABLE waiting_kinds (
  kind text NOT NULL,
  since timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT waiting_kinds_pkey PRIMARY KEY (kind)
);

CREATE TABLE wallets (
  balance bigint NOT NULL DEFAULT 0,
  member_id bigint NOT NULL,
  CONSTRAINT wallets_balance CHECK ((balance >= 0)),
  CONSTRAINT wallets_member_id_fkey FOREIGN KEY (member_id) REFERENCES members(id),
  CONSTRAINT wallets_pkey PRIMARY KEY (member_id)
);

CREATE INDEX admins_role ON public.admins USING btree (role);

CREATE INDEX agent_commands_done ON public.agent_commands USING btree (done_at) WHERE (done_at IS NOT NULL);

CREATE INDEX agent_commands_sealed ON public.agent_commands USING btree (id) WHERE (sealed IS NOT NULL);

CREATE INDEX agent_commands_waiting ON public.agent_commands USING btree (server_id, created_at) WHERE (done_at IS NULL);

CREATE UNIQUE INDEX agent_enrolments_open ON public.agent_enrolments USING btree (server_id) WHERE ((NOT is_ended) AND (used_at IS NULL));

CREATE INDEX agent_enrolments_server ON public.agent_enrolments USING btree (server_id, created_at);

CREATE INDEX agent_tasks_ended ON public.agent_tasks USING btree (done_at) WHERE (done_at IS NOT NULL);

CREATE INDEX agent_tasks_of_server ON public.agent_tasks USING btree (server_id, number);

CREATE INDEX agent_tasks_open ON public.agent_tasks USING btree (server_id, number) WHERE (done_at IS NULL);

CREATE INDEX api_keys_creator ON public.api_keys USING btree (creator_id);

CREATE INDEX audit_logs_action ON public.audit_logs USING btree (action, at, id);

CREATE INDEX audit_logs_actor ON public.audit_logs USING btree (actor, at, id);

CREATE INDEX audit_logs_at ON public.audit_logs USING btree (at, id);

CREATE INDEX audit_logs_servers ON public.audit_logs USING gin (castellan_audit_servers(target, before, after));

CREATE INDEX audit_logs_target ON public.audit_logs USING btree (target, at, id);

CREATE INDEX ban_news_player ON public.ban_news USING btree (player_id);

CREATE INDEX ban_places_due ON public.ban_places USING btree (server_id, next_try_at) WHERE ((NOT is_settled) AND (NOT is_sent));

CREATE INDEX ban_places_sent ON public.ban_places USING btree (sent_at) WHERE is_sent;

CREATE INDEX bans_active ON public.bans USING btree (game) WHERE (ended_at IS NULL);

CREATE INDEX bans_due ON public.bans USING btree (until) WHERE ((ended_at IS NULL) AND (until IS NOT NULL));

CREATE INDEX bans_player ON public.bans USING btree (player_id);

CREATE INDEX chat_confirmations_expiry ON public.chat_confirmations USING btree (expires_at);

CREATE UNIQUE INDEX chat_confirmations_one ON public.chat_confirmations USING btree (player_id, server_id, command);

CREATE UNIQUE INDEX clusters_name ON public.clusters USING btree (name_key) WHERE (archived_at IS NULL);

CREATE INDEX commands_in_flight_process ON public.commands_in_flight USING btree (process_id);

CREATE INDEX console_commands_at ON public.console_commands USING btree (at, id);

CREATE UNIQUE INDEX console_commands_of_orders ON public.console_commands USING btree (run_id) WHERE (order_id IS NOT NULL);

CREATE INDEX console_commands_running ON public.console_commands USING btree (id) WHERE (outcome IS NULL);

CREATE INDEX console_commands_server ON public.console_commands USING btree (server_id, at, id);

CREATE INDEX console_lines_server ON public.console_lines USING btree (server_id, id);

CREATE INDEX counter_commands_due ON public.counter_commands USING btree (server_id, next_try_at) WHERE (state = 'waiting'::text);

CREATE INDEX counter_commands_sent ON public.counter_commands USING btree (sent_at) WHERE (state = 'sent'::text);

CREATE INDEX deliveries_created ON public.deliveries USING btree (created_at, number);

CREATE INDEX deliveries_desk ON public.deliveries USING btree (desk_at, number) WHERE (desk_reason IS NOT NULL);

CREATE INDEX deliveries_due ON public.deliveries USING btree (next_try_at) WHERE (state = ANY (ARRAY['pending'::text, 'waiting'::text]));

CREATE INDEX deliveries_ended ON public.deliveries USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX deliveries_expiry ON public.deliveries USING btree (expires_at) WHERE (state = ANY (ARRAY['pending'::text, 'waiting'::text]));

CREATE INDEX deliveries_job_state ON public.deliveries USING btree (job_state, number);

CREATE INDEX deliveries_member ON public.deliveries USING btree (member_id, number);

CREATE INDEX deliveries_member_ended ON public.deliveries USING btree (member_id, ended_at, number) WHERE (ended_at IS NOT NULL);

CREATE INDEX deliveries_open ON public.deliveries USING btree (member_id, number) WHERE (state = ANY (ARRAY['pending'::text, 'waiting'::text, 'sending'::text]));

CREATE INDEX deliveries_order ON public.deliveries USING btree (order_id);

CREATE INDEX deliveries_order_line ON public.deliveries USING btree (order_line_id);

CREATE INDEX deliveries_refunded ON public.deliveries USING btree (created_at) WHERE (refunded_at IS NOT NULL);

CREATE INDEX deliveries_roles ON public.deliveries USING btree (member_id) WHERE ((line ->> 'kind'::text) = 'role'::text);

CREATE INDEX deliveries_sending ON public.deliveries USING btree (id) WHERE (state = 'sending'::text);

CREATE INDEX desktop_access_account ON public.desktop_access USING btree (account);

CREATE INDEX discord_chat_relays_server ON public.discord_chat_relays USING btree (server_id);

CREATE INDEX discord_event_rules_channel ON public.discord_event_rules USING btree (channel_id);

CREATE INDEX discord_role_changes_due ON public.discord_role_changes USING btree (next_try_at);

CREATE UNIQUE INDEX discounts_code ON public.discounts USING btree (code_key) WHERE (removed_at IS NULL);

CREATE INDEX discounts_without_code ON public.discounts USING btree (number) WHERE ((removed_at IS NULL) AND is_enabled AND (code_key IS NULL));

CREATE UNIQUE INDEX entitlement_grants_daily ON public.entitlement_grants USING btree (order_line_id, "position") WHERE is_daily;

CREATE INDEX entitlement_grants_entitlement ON public.entitlement_grants USING btree (entitlement_id, given_at);

CREATE INDEX entitlement_grants_kits ON public.entitlement_grants USING btree (entitlement_id) WHERE (is_daily AND (revoked_at IS NULL) AND (ended_at IS NULL));

CREATE INDEX entitlement_news_entitlement ON public.entitlement_news USING btree (entitlement_id);

CREATE INDEX entitlement_places_due ON public.entitlement_places USING btree (next_try_at) WHERE ((state = ANY (ARRAY['taking'::text, 'giving'::text])) AND (NOT is_sent));

CREATE INDEX entitlement_places_player ON public.entitlement_places USING btree (player_id);

CREATE INDEX entitlement_places_sent ON public.entitlement_places USING btree (id) WHERE is_sent;

CREATE INDEX entitlement_places_unknown ON public.entitlement_places USING btree (changed_at, id) WHERE (state = 'unknown'::text);

CREATE INDEX entitlements_due ON public.entitlements USING btree (ends_at) WHERE (ended_at IS NULL);

CREATE INDEX event_logs_chat ON public.event_logs USING btree (((payload ->> 'playerId'::text)), at, id) WHERE (kind = 'chat.message'::text);

CREATE INDEX event_logs_kind ON public.event_logs USING btree (kind, severity, at, id);

CREATE INDEX event_logs_person ON public.event_logs USING btree (COALESCE((payload ->> 'playerId'::text), (payload ->> 'adminId'::text)), at, id) WHERE (COALESCE((payload ->> 'playerId'::text), (payload ->> 'adminId'::text)) IS NOT NULL);

CREATE INDEX event_logs_server ON public.event_logs USING btree (server_id, kind, severity, at, id) WHERE (server_id IS NOT NULL);

CREATE INDEX event_logs_written ON public.event_logs USING btree (written_in, id);

CREATE INDEX game_servers_cluster ON public.game_servers USING btree (cluster_id);

CREATE UNIQUE INDEX game_servers_name ON public.game_servers USING btree (name_key) WHERE (archived_at IS NULL);

CREATE INDEX ledger_at ON public.ledger USING btree (at);

CREATE INDEX ledger_from ON public.ledger USING btree (from_member, id) WHERE (from_member IS NOT NULL);

CREATE INDEX ledger_from_at ON public.ledger USING btree (from_member, at, id) WHERE ((from_member IS NOT NULL) AND (kind <> 'purchase'::text));

CREATE INDEX ledger_order ON public.ledger USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX ledger_to ON public.ledger USING btree (to_member, id) WHERE (to_member IS NOT NULL);

CREATE INDEX ledger_to_at ON public.ledger USING btree (to_member, at, id) WHERE ((to_member IS NOT NULL) AND (kind <> 'purchase'::text));

CREATE INDEX member_merges_kept ON public.member_merges USING btree (kept_id, id);

CREATE INDEX member_merges_merged ON public.member_merges USING btree (merged_id);

CREATE UNIQUE INDEX members_discord ON public.members USING btree (discord_id) WHERE (discord_id IS NOT NULL);

CREATE INDEX members_in_discord ON public.members USING btree (id) WHERE (discord_id IS NOT NULL);

CREATE INDEX members_merged ON public.members USING btree (merged_into) WHERE (merged_into IS NOT NULL);

CREATE INDEX mod_checks_next ON public.mod_checks USING btree (next_at);

CREATE INDEX mod_jobs_ended ON public.mod_jobs USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE UNIQUE INDEX mod_jobs_key ON public.mod_jobs USING btree (actor, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX mod_jobs_open ON public.mod_jobs USING btree (number) WHERE (state = ANY (ARRAY['waiting'::text, 'running'::text]));

CREATE UNIQUE INDEX mod_jobs_running ON public.mod_jobs USING btree (server_id) WHERE (state = 'running'::text);

CREATE INDEX mod_jobs_server ON public.mod_jobs USING btree (server_id, number DESC);

CREATE INDEX mod_jobs_unknown ON public.mod_jobs USING btree (ended_at) WHERE (state = 'unknown'::text);

CREATE UNIQUE INDEX mod_jobs_wave ON public.mod_jobs USING btree (wave, server_id) WHERE (wave IS NOT NULL);

CREATE INDEX mod_plans_expiry ON public.mod_plans USING btree (expires_at);

CREATE UNIQUE INDEX mod_waves_key ON public.mod_waves USING btree (actor, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX mod_waves_open ON public.mod_waves USING btree (id) WHERE (ended_at IS NULL);

CREATE INDEX mod_waves_requested ON public.mod_waves USING btree (requested_at DESC, number DESC);

CREATE INDEX order_lines_created ON public.order_lines USING btree (created_at);

CREATE INDEX order_lines_limits ON public.order_lines USING btree (receiver_id, product_id, created_at) WHERE (undone_at IS NULL);

CREATE INDEX order_lines_order ON public.order_lines USING btree (order_id);

CREATE INDEX order_lines_product ON public.order_lines USING btree (product_id, order_id);

CREATE INDEX order_lines_receiver ON public.order_lines USING btree (receiver_id);

CREATE INDEX orders_created ON public.orders USING btree (created_at, number);

CREATE INDEX orders_discount_uses ON public.orders USING btree (discount_id, member_id) WHERE (discount_id IS NOT NULL);

CREATE INDEX orders_member ON public.orders USING btree (member_id, number);

CREATE INDEX orders_member_created ON public.orders USING btree (member_id, created_at, number);

CREATE INDEX orders_receiver ON public.orders USING btree (receiver_id, number);

CREATE INDEX orders_receiver_created ON public.orders USING btree (receiver_id, created_at, number);

CREATE INDEX orders_without_sale ON public.orders USING btree (id) WHERE (source = ANY (ARRAY['test'::text, 'season'::text]));

CREATE INDEX player_sessions_left ON public.player_sessions USING btree (player_id, left_at, id) WHERE (left_at IS NOT NULL);

CREATE UNIQUE INDEX player_sessions_open ON public.player_sessions USING btree (server_id, player_id) WHERE (left_at IS NULL);

CREATE INDEX player_sessions_player ON public.player_sessions USING btree (player_id, joined_at, id);

CREATE INDEX player_sessions_player_seen ON public.player_sessions USING btree (player_id, server_id, last_seen_at, id);

CREATE INDEX player_sessions_seen ON public.player_sessions USING btree (server_id, last_seen_at, player_id);

CREATE INDEX players_id_of_platform ON public.players USING btree (lower(split_part(platform_id, ':'::text, 2)));

CREATE INDEX players_member ON public.players USING btree (member_id);

CREATE INDEX players_name_key ON public.players USING btree (name_key, game);

CREATE INDEX players_platform_id ON public.players USING btree (lower(platform_id));

CREATE INDEX players_seen ON public.players USING btree (last_seen_at, id);

CREATE INDEX power_acts_ended ON public.power_acts USING btree (server_id, ended_at DESC);

CREATE UNIQUE INDEX power_acts_key ON public.power_acts USING btree (actor, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE UNIQUE INDEX power_acts_open ON public.power_acts USING btree (server_id, ((action = 'kill'::text))) WHERE (ended_at IS NULL);

CREATE UNIQUE INDEX products_short_code ON public.products USING btree (short_code);

CREATE INDEX restore_runs_ended ON public.restore_runs USING btree (server_id, requested_at DESC);

CREATE UNIQUE INDEX restore_runs_key ON public.restore_runs USING btree (actor, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE UNIQUE INDEX restore_runs_open ON public.restore_runs USING btree (server_id) WHERE (ended_at IS NULL);

CREATE INDEX reward_claims_member ON public.reward_claims USING btree (member_id);

CREATE INDEX reward_code_uses_member ON public.reward_code_uses USING btree (member_id);

CREATE INDEX reward_codes_batch ON public.reward_codes USING btree (batch_id, id);

CREATE INDEX reward_counted_times_session ON public.reward_counted_times USING btree (session_id);

CREATE INDEX reward_first_visits_member ON public.reward_first_visits USING btree (member_id);

CREATE INDEX reward_gifts_from ON public.reward_gifts USING btree (from_member, day);

CREATE INDEX reward_gifts_offered ON public.reward_gifts USING btree (expires_at) WHERE (given_at IS NULL);

CREATE INDEX reward_gifts_to ON public.reward_gifts USING btree (to_member);

CREATE INDEX reward_intervals_day ON public.reward_intervals USING btree (member_id, rule_id, day);

CREATE UNIQUE INDEX reward_rule_versions_open ON public.reward_rule_versions USING btree (rule_id) WHERE (effective_until IS NULL);

CREATE INDEX save_acts_ended ON public.save_acts USING btree (server_id, ended_at DESC);

CREATE UNIQUE INDEX save_acts_key ON public.save_acts USING btree (actor, idempotency_key) WHERE (idempotency_key IS NOT NULL);

CREATE UNIQUE INDEX save_acts_open ON public.save_acts USING btree (server_id) WHERE (ended_at IS NULL);

CREATE INDEX season_steps_member ON public.season_steps USING btree (member_id) WHERE (member_id IS NOT NULL);

CREATE INDEX season_steps_order ON public.season_steps USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX season_steps_state ON public.season_steps USING btree (season_id, state, kind, id);

CREATE UNIQUE INDEX seasons_at_work ON public.seasons USING btree ((true)) WHERE (state = ANY (ARRAY['running'::text, 'undoing'::text]));

CREATE INDEX server_figures_at ON public.server_figures USING btree (step_seconds, at);

CREATE INDEX server_grants_role ON public.server_grants USING btree (role);

CREATE INDEX sessions_admin ON public.sessions USING btree (admin_id);

CREATE INDEX shop_events_arrived ON public.shop_events USING btree (shop_id, arrived_at DESC);

CREATE INDEX shop_events_conflicts ON public.shop_events USING btree (shop_id) WHERE (conflicts > 0);

CREATE INDEX shop_events_of_no_order ON public.shop_events USING btree (shop_id) WHERE ((shop_order_id IS NULL) AND ((facts ->> 'kind'::text) <> 'nothing'::text));

CREATE INDEX shop_events_order ON public.shop_events USING btree (shop_order_id);

CREATE INDEX shop_events_refs ON public.shop_events USING gin (refs);

CREATE INDEX shop_events_unneeded ON public.shop_events USING btree (shop_id, arrived_at) WHERE (shop_order_id IS NULL);

CREATE INDEX shop_orders_added ON public.shop_orders USING gin (added_order_ids);

CREATE INDEX shop_orders_created ON public.shop_orders USING btree (created_at);

CREATE INDEX shop_orders_left ON public.shop_orders USING btree (taken_back_at) WHERE ((state = 'taken-back'::text) AND (taken_back_at IS NOT NULL));

CREATE INDEX shop_orders_open ON public.shop_orders USING btree (state) WHERE (state = ANY (ARRAY['open'::text, 'waiting'::text, 'person'::text]));

CREATE INDEX shop_orders_order ON public.shop_orders USING btree (order_id);

CREATE INDEX shop_orders_receiver ON public.shop_orders USING btree (receiver_id) WHERE (receiver_id IS NOT NULL);

CREATE INDEX shop_orders_refs ON public.shop_orders USING gin (refs);

CREATE INDEX shop_secrets_shop ON public.shop_secrets USING btree (shop_id);

CREATE OR REPLACE FUNCTION public.castellan_address_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform castellan_end_chat_trust(new.id, 'address');
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_agent_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
   begin
     perform castellan_end_chat_trust(server.id, 'agent') from game_servers as server
       where server.id = case when tg_op = 'DELETE' then old.server_id else new.server_id end;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_attempt_in_history()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     if tg_op = 'INSERT' then
       perform public.castellan_begin_command(new.delivery_id, new.command_id, new.server_id, new.way, new.command);
     else
       perform public.castellan_end_command(new.command_id, coalesce(new.outcome, 'unknown'), new.reply);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_audit_servers(target text, before jsonb, after jsonb)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
     select coalesce(array_agg(distinct id), '{}') from (
       select substr(target, 8) as id where target like 'server:%'
       union all select before ->> 'serverId'
       union all select after ->> 'serverId'
       union all select list.id #>> '{}'
         from (values (before), (after)) as side (of)
         cross join (values ('servers'), ('serverIds')) as field (name)
         cross join lateral jsonb_array_elements(
           case when jsonb_typeof(side.of -> field.name) = 'array' then side.of -> field.name else '[]' end
         ) as list (id)
         where jsonb_typeof(list.id) = 'string'
     ) as named where id <> ''
     $function$;

CREATE OR REPLACE FUNCTION public.castellan_audit_sql(statement text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
       insert into public.audit_logs (actor, action, detail, address)
       values ('operator', 'sql.run', jsonb_build_object('statement', statement), host(inet_client_addr()))
     $function$;

CREATE OR REPLACE FUNCTION public.castellan_begin_command(delivery uuid, sent_id text, server text, link text, shown text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
     insert into public.console_commands
       (server_id, run_id, actor, actor_name, command, via, order_id, product_id, approved_by, approved_name)
     select server, sent_id, orders.actor, orders.actor_name, shown, link, orders.id, line.product_id,
            given.approved_by, given.approved_name
       from public.deliveries as given
       join public.orders on orders.id = given.order_id
       join public.order_lines as line on line.id = given.order_line_id
      where given.id = delivery and given.line ->> 'kind' = 'command'
     on conflict do nothing
   $function$;

CREATE OR REPLACE FUNCTION public.castellan_cancel_delivery(delivery uuid, why text, by_actor text, by_name text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     found_delivery public.deliveries := public.castellan_lock_delivery(delivery);
   begin
     if found_delivery.state is null or found_delivery.state not in ('pending', 'waiting', 'failed') then
       raise exception 'delivery % is %: only what waits or has failed can be cancelled',
         delivery, coalesce(found_delivery.state, 'gone')
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; what may have been sent is decided in the panel';
     end if;
     if found_delivery.state <> 'failed' and found_delivery.epoch < (select epoch from public.store_state) then
       raise exception 'delivery % is of a database that was restored: it may have been sent since that backup', delivery
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; cancel it in the panel, which asks the game first';
     end if;
     if exists (select from public.delivery_attempts where delivery_id = delivery and ended_at is null) then
       raise exception 'delivery % has an attempt that is not settled', delivery
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; wait for its result, or decide it in the panel';
     end if;
     update public.deliveries
        set state = 'cancelled', waits_for = null, detail = why, ended_at = now(), desk_reason = null, desk_at = null
      where id = delivery;
     perform public.castellan_settle_order_line(found_delivery.order_line_id);
     perform public.castellan_refund_delivery(delivery, by_actor, by_name);
     return (select ended_at from public.deliveries where id = delivery);
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_cancel_mod_job(job uuid, why text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     cancelled_at timestamptz;
     found_state text;
   begin
     update public.mod_jobs
        set state = 'cancelled', is_cancelled = true, outcome = 'cancelled', detail = why, waits_for = null,
            ended_at = coalesce(ended_at, now())
      where id = job and state in ('waiting', 'failed')
     returning ended_at into cancelled_at;
     if found then
       return cancelled_at;
     end if;
     select state into found_state from public.mod_jobs where id = job;
     if found_state = 'unknown' then
       raise exception 'job % of queue mods has an unknown end: it takes the result that comes later, and cannot be cancelled', job
         using errcode = 'object_not_in_prerequisite_state',
               hint = 'nothing was changed; narrow the statement by: and output ->> ''state'' is distinct from ''unknown''';
     end if;
     raise exception 'job % of queue mods is %: only those that wait or have failed can be cancelled', job,
       coalesce(found_state, 'gone')
       using errcode = 'object_not_in_prerequisite_state',
             hint = 'nothing was changed; what is running is cancelled in the panel';
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_charge_again(delivery uuid, by_actor text, by_name text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     charged public.deliveries;
   begin
     update public.deliveries
        set state = 'delivered', certainty = 'proven', waits_for = null, ended_at = now(), refunded_at = null,
            may_have_arrived = false, desk_reason = null, desk_at = null
      where id = delivery returning * into charged;
     perform public.castellan_reopen_order_line(charged.order_line_id);
     if charged.points > 0 then
       insert into public.ledger (kind, from_account, from_member, to_account, amount, order_id, delivery_id, actor, actor_name)
         select 'charge', 'wallet', public.castellan_member_today(orders.member_id), 'sales', charged.points,
                orders.id, charged.id, by_actor, by_name
         from public.orders where id = charged.order_id;
     end if;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_count_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     if tg_op = 'INSERT' then
       insert into public.delivery_counts select job_state, count(*) from added group by 1;
     else
       insert into public.delivery_counts
         select job_state, sum(change) from (
           select job_state, 1 as change from added union all select job_state, -1 from removed) changed
         group by 1 having sum(change) <> 0;
       insert into public.queue_failures as counted (queue, failures_total)
         select 'delivery', count(*) from added join removed using (id)
         where added.state = 'failed' and removed.state <> 'failed' having count(*) > 0
         on conflict (queue) do update set failures_total = counted.failures_total + excluded.failures_total;
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_count_mod_failure()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     insert into public.queue_failures as counted (queue, failures_total) values ('mods', 1)
       on conflict (queue) do update set failures_total = counted.failures_total + 1;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_date_taken_back()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     -- It passes through 'open' whenever it is settled again.
     new.taken_back_at := case new.state when 'taken-back' then coalesce(old.taken_back_at, now())
                                         when 'open' then old.taken_back_at end;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_end_chat_trust(server text, why text)
 RETURNS void
 LANGUAGE sql
AS $function$
     insert into chat_trusts as known (server_id, is_trusted, origin_since) values (server, false, now())
     on conflict (server_id) do update set
       ended_by = case when known.is_trusted then why else known.ended_by end,
       is_trusted = false, is_unreviewed = false, origin_since = now(), changed_at = now(), version = known.version + 1
   $function$;

CREATE OR REPLACE FUNCTION public.castellan_end_command(sent_id text, ended text, answer text)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
     update public.console_commands set
       revised_from = case when outcome <> ended then outcome else revised_from end,
       revised_at = case when outcome <> ended then now() else revised_at end,
       outcome = ended, reply = coalesce(answer, reply),
       duration_ms = coalesce(duration_ms, least(extract(epoch from now() - at) * 1000, 2147483647)::integer)
      where run_id = sent_id and order_id is not null
   $function$;

CREATE OR REPLACE FUNCTION public.castellan_end_enrolments()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     update public.agent_enrolments set is_ended = true
      where created_by = 'admin:' || new.id and used_at is null and not is_ended;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_follow_ban()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     insert into public.ban_news (player_id)
       select distinct theirs.id from public.players as banned join public.players as theirs on theirs.member_id = banned.member_id
        where banned.id in (new.player_id, old.player_id);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_follow_ban_server()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     insert into public.ban_news (player_id)
       select distinct theirs.id from public.bans join public.players as banned on banned.id = bans.player_id
         join public.players as theirs on theirs.member_id = banned.member_id
        where bans.id in (new.ban_id, old.ban_id);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_follow_banned_player()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     if exists (select from public.bans join public.players as banned on banned.id = bans.player_id
                 where banned.member_id in (old.member_id, new.member_id) and bans.ended_at is null) then
       insert into public.ban_news (player_id)
         select id from public.players where member_id in (old.member_id, new.member_id);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_follow_banned_session()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     insert into public.ban_news (player_id)
       select new.player_id
        where exists (select from public.bans where ended_at is null)
          and exists (
            select from public.players as player join public.players as banned on banned.member_id = player.member_id
              join public.bans on bans.player_id = banned.id and bans.ended_at is null
              join public.game_servers as server on server.id = new.server_id and server.game = bans.game
             where player.id = new.player_id)
          and not exists (
            select from public.ban_places as place
             where place.player_id = new.player_id and place.server_id = new.server_id and place.wanted = 'banned');
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_follow_banning_server()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     insert into public.ban_news (player_id)
       select distinct theirs.id from public.bans join public.players as banned on banned.id = bans.player_id
         join public.players as theirs on theirs.member_id = banned.member_id
        where bans.game = new.game and bans.ended_at is null;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_follow_lasting_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     lasts jsonb := new.line -> 'lasts';
     is_item boolean := new.line ->> 'kind' = 'item';
     followed bigint;
     is_known boolean;
   begin
     if new.state = 'delivered' and new.refunded_at is null then
       insert into public.entitlements (member_id, game, key)
         values (new.member_id, new.game, lasts ->> 'key') on conflict (member_id, game, key) do nothing;
       select id into followed from public.entitlements
         where member_id = new.member_id and game = new.game and key = lasts ->> 'key';
       insert into public.entitlement_grants
           (delivery_id, entitlement_id, order_line_id, position, is_daily, given_at, seconds, extends)
         values (new.id, followed, new.order_line_id, (new.line ->> 'position')::integer, is_item,
                 coalesce(new.ended_at, now()),
                 (lasts ->> 'seconds')::bigint * case when is_item then 1 else (new.line ->> 'quantity')::bigint end,
                 (lasts ->> 'extends')::boolean)
         on conflict do nothing;
       if not found and old.state = 'delivered' then
         -- Its refund was undone. What was part of an end stays over.
         update public.entitlement_grants set revoked_at = null, is_placed = false
           where delivery_id = new.id and revoked_at is not null;
       elsif not found then
         update public.entitlement_grants
           set revoked_at = null, ended_at = null, is_placed = false, given_at = coalesce(new.ended_at, now())
           where delivery_id = new.id and (revoked_at is not null or not is_item);
       end if;
     -- It is to be sent again, too. One gift of a kit is not what its days hang on.
     elsif new.refunded_at is not null or new.state in ('failed', 'cancelled') or old.state = 'delivered' and not is_item then
       update public.entitlement_grants set revoked_at = now()
         where delivery_id = new.id and revoked_at is null;
       is_known := found or exists (select from public.entitlement_grants where delivery_id = new.id);
       -- The game may have it all the same: a grant that never counted has its place taken back.
       if not is_known and new.may_have_arrived and new.line ->> 'kind' = 'command' then
         insert into public.entitlements (member_id, game, key)
           values (new.member_id, new.game, lasts ->> 'key') on conflict (member_id, game, key) do nothing;
         insert into public.entitlement_grants
             (delivery_id, entitlement_id, order_line_id, position, is_daily, given_at, seconds, extends, revoked_at)
           select new.id, id, new.order_line_id, (new.line ->> 'position')::integer, false, now(),
                  (lasts ->> 'seconds')::bigint * (new.line ->> 'quantity')::bigint, (lasts ->> 'extends')::boolean, now()
             from public.entitlements
            where member_id = new.member_id and game = new.game and key = lasts ->> 'key';
       end if;
     end if;
     if found then
       insert into public.entitlement_news (entitlement_id)
         select entitlement_id from public.entitlement_grants where delivery_id = new.id;
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_follow_merged_lasting()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     insert into public.entitlement_news (entitlement_id)
       select id from public.entitlements where member_id in (new.id, old.merged_into, new.merged_into);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_job_cancelled(queue text, job_id uuid, data jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ begin return; end $function$;

CREATE OR REPLACE FUNCTION public.castellan_keep_approval()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     select known.approved_by, known.approved_name, known.approved_at
       into new.approved_by, new.approved_name, new.approved_at
       from public.product_versions as known
      where known.product_id = new.product_id and known.version = new.version - 1
        and known.lines = new.lines and known.game = new.game
        and known.cluster_ids = new.cluster_ids and known.server_ids = new.server_ids;
     return new;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_keep_audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
     begin
       if tg_op = 'DELETE' and current_setting('castellan.retention', true) = 'on'
         or tg_op = 'UPDATE' and current_setting('castellan.erasure', true) = 'on' then
         return null;
       end if;
       raise exception 'the audit log is append-only: no % on audit_logs', lower(tg_op)
         using errcode = 'insufficient_privilege';
     end $function$;

CREATE OR REPLACE FUNCTION public.castellan_lock_delivery(delivery uuid)
 RETURNS deliveries
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     locked public.deliveries;
   begin
     perform from public.orders
       where id = (select order_id from public.deliveries where deliveries.id = delivery) for update;
     select * into locked from public.deliveries where id = delivery for update;
     return locked;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_member_of_player()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     made bigint;
   begin
     insert into public.members (created_at) values (new.first_seen_at) returning id into made;
     update public.players set member_id = made where id = new.id;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_member_today(id bigint)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
     select coalesce(merged_into, members.id) from public.members where members.id = $1 $function$;

CREATE OR REPLACE FUNCTION public.castellan_move_points()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     perform from public.wallets
       where member_id in (select from_member from added union select to_member from added)
       order by member_id for update;
     -- A merge holds both wallets: one that began before this statement was not seen when the wallet was chosen.
     if exists (select from added join public.members on members.id = added.to_member
                where members.merged_into is not null) then
       raise exception 'the member was merged into another one meanwhile'
         using errcode = 'serialization_failure', hint = 'nothing was changed; try again';
     end if;
     update public.wallets set balance = balance + moved.change
       from (select member_id, sum(change) as change from (
               select from_member as member_id, -amount as change from added where from_member is not null
               union all select to_member, amount from added where to_member is not null) each_side
             group by member_id) moved
       where wallets.member_id = moved.member_id and moved.change <> 0;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_only_names()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     if new.actor_name is not null or to_jsonb(new) - 'actor_name' <> to_jsonb(old) - 'actor_name' then
       raise exception 'of a row of % only the name can be erased', tg_table_name
         using errcode = 'insufficient_privilege';
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_open_wallet()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     insert into public.wallets (member_id) values (new.id);
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_place_in_history()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     if new.is_sent and new.command_id is distinct from old.command_id then
       perform public.castellan_begin_command(new.delivery_id, new.command_id, new.server_id, new.way, new.command);
     elsif new.outcome is not null then
       perform public.castellan_end_command(new.command_id, new.outcome, new.reply);
     end if;
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_proven_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   select now() - public.castellan_unproven_time() $function$;

CREATE OR REPLACE FUNCTION public.castellan_record_event(kind text, severity text, payload jsonb)
 RETURNS void
 LANGUAGE sql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ insert into public.event_logs (kind, severity, payload) values (kind, severity, payload) $function$;

CREATE OR REPLACE FUNCTION public.castellan_refund_delivery(delivery uuid, by_actor text, by_name text)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     refunded public.deliveries;
   begin
     update public.deliveries set refunded_at = now() where id = delivery and refunded_at is null
       returning * into refunded;
     if not found then
       return 0;
     end if;
     perform public.castellan_settle_order_line(refunded.order_line_id);
     if refunded.points > 0 then
       insert into public.ledger (kind, from_account, to_account, to_member, amount, order_id, delivery_id, actor, actor_name)
         select 'refund', 'sales', 'wallet', public.castellan_member_today(orders.member_id), refunded.points,
                orders.id, refunded.id, by_actor, by_name
         from public.orders where id = refunded.order_id;
     end if;
     return refunded.points;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_refund_undelivered(delivery uuid, is_withdrawn boolean, why text, by_actor text, by_name text)
 RETURNS bigint
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     update public.deliveries
        set state = 'cancelled', certainty = null, waits_for = null, detail = why, ended_at = now(),
            may_have_arrived = not is_withdrawn, desk_reason = null, desk_at = null
      where id = delivery;
     update public.delivery_attempts set ended_at = now() where delivery_id = delivery and ended_at is null;
     return public.castellan_refund_delivery(delivery, by_actor, by_name);
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     if tg_op = 'UPDATE' and current_setting('castellan.erasure', true) = 'on' then
       return null;
     end if;
     raise exception 'the ledger is only ever added to' using errcode = 'feature_not_supported';
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_reopen_order_line(reopened_line bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     reopened public.order_lines;
   begin
     update public.order_lines set undone_at = null where id = reopened_line and undone_at <> created_at;
     update public.order_lines set restocked_at = null where id = reopened_line and restocked_at <> created_at
       returning * into reopened;
     if found then
       if exists (select from public.order_line_stocks where order_line_id = reopened_line) then
         perform from public.products
           where id in (select product_id from public.order_line_stocks where order_line_id = reopened_line)
           order by id for update;
         update public.products set stock = greatest(0, stock - taken.pieces + taken.oversold)
           from public.order_line_stocks as taken
           where taken.order_line_id = reopened_line and products.id = taken.product_id and stock is not null;
       else
         update public.products set stock = greatest(0, stock - reopened.quantity + reopened.oversold)
           where id = reopened.product_id and stock is not null;
       end if;
     end if;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_settle_order_line(settled_line bigint)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   declare
     returned public.order_lines;
   begin
     update public.order_lines set undone_at = now()
       where id = settled_line and undone_at is null and not exists (
         select from public.deliveries where order_line_id = settled_line
            and state not in ('cancelled', 'failed') and refunded_at is null);
     select * into returned from public.order_lines
       where id = settled_line and restocked_at is null and not exists (
         select from public.deliveries where order_line_id = settled_line
            and (state not in ('cancelled', 'failed') or may_have_arrived));
     if found then
       if exists (select from public.order_line_stocks where order_line_id = settled_line) then
         perform from public.products
           where id in (select product_id from public.order_line_stocks where order_line_id = settled_line)
           order by id for update;
         update public.products set stock = stock + taken.pieces - taken.oversold
           from public.order_line_stocks as taken
           where taken.order_line_id = settled_line and products.id = taken.product_id and stock is not null;
       else
         update public.products set stock = stock + returned.quantity - returned.oversold
           where id = returned.product_id and stock is not null;
       end if;
       update public.order_lines set restocked_at = case when found then now() else created_at end
         where id = settled_line;
     end if;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_tell_shop_order()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   begin
     insert into public.shop_order_news (order_id)
       select id from public.orders where id = new.order_id and source = 'shop';
     return null;
   end $function$;

CREATE OR REPLACE FUNCTION public.castellan_unproven_time(began timestamp with time zone DEFAULT '-infinity'::timestamp with time zone)
 RETURNS interval
 LANGUAGE sql
 STABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
   select coalesce((
     select case
              when began >= jumped_at and now() <= seen_at + interval '10 minutes' then interval '0'
              when began >= seen_at + interval '10 minutes' then interval '0'
              else unproven_ms * interval '1 millisecond'
                   + greatest(interval '0', now() - seen_at - interval '10 minutes') end
       from public.proven_time), interval '0') $function$;

CREATE TRIGGER admins_enrolments AFTER UPDATE OF password_hash ON public.admins FOR EACH ROW WHEN ((old.password_hash IS DISTINCT FROM new.password_hash)) EXECUTE FUNCTION castellan_end_enrolments();

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_logs FOR EACH STATEMENT EXECUTE FUNCTION castellan_keep_audit();

CREATE TRIGGER castellan_only_names AFTER UPDATE ON public.audit_logs FOR EACH ROW EXECUTE FUNCTION castellan_only_names();

CREATE TRIGGER castellan_follow_ban_server AFTER INSERT OR DELETE OR UPDATE ON public.ban_servers FOR EACH ROW EXECUTE FUNCTION castellan_follow_ban_server();

CREATE TRIGGER castellan_follow_ban AFTER INSERT OR UPDATE OF player_id, until, ended_at, is_everywhere ON public.bans FOR EACH ROW EXECUTE FUNCTION castellan_follow_ban();

CREATE TRIGGER castellan_count_inserted AFTER INSERT ON public.deliveries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION castellan_count_deliveries();

CREATE TRIGGER castellan_count_updated AFTER UPDATE ON public.deliveries REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION castellan_count_deliveries();

CREATE TRIGGER castellan_follow_lasting AFTER INSERT OR UPDATE OF state, refunded_at ON public.deliveries FOR EACH ROW WHEN ((new.line ? 'lasts'::text)) EXECUTE FUNCTION castellan_follow_lasting_delivery();

CREATE TRIGGER castellan_tell_shop_order AFTER UPDATE OF refunded_at ON public.deliveries FOR EACH ROW WHEN (((old.refunded_at IS NULL) <> (new.refunded_at IS NULL))) EXECUTE FUNCTION castellan_tell_shop_order();

CREATE TRIGGER delivery_attempts_ended AFTER UPDATE OF outcome, reply, detail, ended_at ON public.delivery_attempts FOR EACH ROW WHEN (((((old.outcome IS DISTINCT FROM new.outcome) OR (old.reply IS DISTINCT FROM new.reply)) OR (old.detail IS DISTINCT FROM new.detail)) OR (old.ended_at IS DISTINCT FROM new.ended_at))) EXECUTE FUNCTION castellan_attempt_in_history();

CREATE TRIGGER delivery_attempts_sent AFTER INSERT ON public.delivery_attempts FOR EACH ROW EXECUTE FUNCTION castellan_attempt_in_history();

CREATE TRIGGER entitlement_places_sent AFTER UPDATE OF command_id, outcome, reply ON public.entitlement_places FOR EACH ROW WHEN ((((old.command_id IS DISTINCT FROM new.command_id) OR (old.outcome IS DISTINCT FROM new.outcome)) OR (old.reply IS DISTINCT FROM new.reply))) EXECUTE FUNCTION castellan_place_in_history();

CREATE TRIGGER game_agents_chat_trust AFTER INSERT OR DELETE ON public.game_agents FOR EACH ROW EXECUTE FUNCTION castellan_agent_changed();

CREATE TRIGGER game_agents_chat_trust_key AFTER UPDATE OF agent_key ON public.game_agents FOR EACH ROW WHEN ((old.agent_key IS DISTINCT FROM new.agent_key)) EXECUTE FUNCTION castellan_agent_changed();

CREATE TRIGGER castellan_follow_banning_server AFTER UPDATE OF archived_at, game ON public.game_servers FOR EACH ROW WHEN (((new.archived_at IS NULL) AND ((old.archived_at IS NOT NULL) OR (new.game IS DISTINCT FROM old.game)))) EXECUTE FUNCTION castellan_follow_banning_server();

CREATE TRIGGER castellan_follow_new_banning_server AFTER INSERT ON public.game_servers FOR EACH ROW EXECUTE FUNCTION castellan_follow_banning_server();

CREATE TRIGGER game_servers_chat_trust AFTER UPDATE OF host, port ON public.game_servers FOR EACH ROW WHEN (((old.host IS DISTINCT FROM new.host) OR (old.port IS DISTINCT FROM new.port))) EXECUTE FUNCTION castellan_address_changed();

CREATE TRIGGER castellan_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION castellan_refuse_change();

CREATE TRIGGER castellan_move_points AFTER INSERT ON public.ledger REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION castellan_move_points();

CREATE TRIGGER castellan_only_names AFTER UPDATE ON public.ledger FOR EACH ROW EXECUTE FUNCTION castellan_only_names();

CREATE TRIGGER castellan_follow_merged_lasting AFTER UPDATE OF merged_into ON public.members FOR EACH ROW WHEN ((new.merged_into IS DISTINCT FROM old.merged_into)) EXECUTE FUNCTION castellan_follow_merged_lasting();

CREATE TRIGGER castellan_open_wallet AFTER INSERT ON public.members FOR EACH ROW EXECUTE FUNCTION castellan_open_wallet();

CREATE TRIGGER castellan_count_failure AFTER UPDATE ON public.mod_jobs FOR EACH ROW WHEN (((new.job_state = 'failed'::text) AND (old.job_state <> 'failed'::text))) EXECUTE FUNCTION castellan_count_mod_failure();

CREATE TRIGGER castellan_follow_banned_session AFTER INSERT OR UPDATE OF player_id ON public.player_sessions FOR EACH ROW EXECUTE FUNCTION castellan_follow_banned_session();

CREATE TRIGGER castellan_follow_banned_player AFTER UPDATE OF member_id ON public.players FOR EACH ROW WHEN ((new.member_id IS DISTINCT FROM old.member_id)) EXECUTE FUNCTION castellan_follow_banned_player();

CREATE TRIGGER castellan_member_of_player AFTER INSERT ON public.players FOR EACH ROW WHEN ((new.member_id IS NULL)) EXECUTE FUNCTION castellan_member_of_player();

CREATE TRIGGER product_versions_approval BEFORE INSERT ON public.product_versions FOR EACH ROW WHEN ((new.approved_by IS NULL)) EXECUTE FUNCTION castellan_keep_approval();

CREATE TRIGGER shop_orders_taken_back BEFORE UPDATE OF state ON public.shop_orders FOR EACH ROW WHEN ((new.state IS DISTINCT FROM old.state)) EXECUTE FUNCTION castellan_date_taken_back();
