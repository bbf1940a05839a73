// Starts a match over gRPC, plays it with one illegal move, follows and audits it.
//
// Start a server with `make run`, then here: npm ci && node match.js [HOST:PORT]

import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const here = fileURLToPath(new URL(".", import.meta.url));
const definition = protoLoader.loadSync(
  ["shiji/record/v1/record_service.proto", "status.proto"],
  { includeDirs: [`${here}../../protos`, here], keepCase: true, longs: Number, enums: String, defaults: true },
);
const { RecordService } = grpc.loadPackageDefinition(definition).shiji.record.v1;

// The third joins two against two, which is illegal; one tile later the same join is three against two.
const MOVES = ["green Re6Be5", "violet Rg8Rg9", "green Re8Rf8", "green Rd7Yd8", "violet Re8Rf8"];

const service = new RecordService(process.argv[2] ?? "127.0.0.1:50051", grpc.credentials.createInsecure());

/** Call a method; resolves to its response. */
function call(method, request) {
  const deadline = Date.now() + 10_000;
  return new Promise((resolve, reject) => {
    service[method](request, { deadline }, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

/** The broken rules in an error's details; none if it is another kind of error. */
function violationsOf(error) {
  const [bytes] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (bytes === undefined) return [];
  const { details } = definition["example.Status"].deserialize(bytes);
  const wanted = "shiji.verdict.v1.RuleViolations";
  const detail = details.find(({ type_url }) => type_url.endsWith(`/${wanted}`));
  return detail ? definition[wanted].deserialize(detail.value).violations : [];
}

/** Play the legal moves and explain why the others are illegal; resolves to the last sequence. */
async function play(match_id) {
  let sequence = 0;
  for (const text of MOVES) {
    const request = { match_id, expected_sequence: sequence, request_id: randomUUID(), move: { text } };
    try {
      const { appended } = await call("AppendMove", request);
      sequence = appended.entries.at(-1).sequence;
    } catch (error) {
      const violations = violationsOf(error);
      if (violations.length === 0) throw error;
      explain(text, violations);
    }
  }
  return sequence;
}

/** Print which rules a move breaks, and why. */
function explain(move, violations) {
  console.log(`${move} is illegal:`);
  for (const { rule_id, title, why, places, text, source, rulings } of violations) {
    console.log(`  ${rule_id} ${title}: ${why} (${places.join(", ")})`);
    console.log(`  rule    ${text}`);
    console.log(`  source  ${source}`);
    for (const { name, value, meaning } of rulings) console.log(`  ruling  ${name}=${value}: ${meaning}`);
  }
}

/** Print every entry as it arrives, until the last move has been played. */
async function follow(match_id) {
  const entries = service.FollowRecord({ match_id, from_sequence: 1 });
  for await (const { entry } of entries) {
    console.log(`followed: ${entry.sequence}. ${entry.text}`);
    if (entry.sequence === MOVES.length - 1) break;
  }
  entries.cancel();
}

const { match } = await call("StartMatch", { request_id: randomUUID(), game: "qin", seats: ["green", "violet"] });
const following = follow(match.match_id);
const sequence = await play(match.match_id);
await following;

const { drawing } = await call("GetState", { match_id: match.match_id, with_drawing: true });
console.log(drawing);
const { report } = await call("AuditMatch", { match_id: match.match_id });
const verdict = report.verdict.replace("VERDICT_", "").toLowerCase();
console.log(`audit: ${verdict}, ${report.good} of ${sequence} entries`);
service.close();
