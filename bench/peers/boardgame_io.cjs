// The game on boardgame.io, with its defaults: state in memory, a copy of the whole state for each player.
const { randomInt } = require("node:crypto");
const { Server, Origins } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");
const { decide, fresh, rollAll } = require("./game.cjs");

const game = {
  name: "qwixx",
  disableUndo: true, // otherwise it also keeps every earlier state
  setup: ({ random }) => {
    const state = fresh();
    rollAll(state, () => random.D6());
    return state;
  },
  turn: { activePlayers: { all: "deciding" } },
  moves: {
    decide: ({ G, playerID, random }, row) =>
      decide(G, Number(playerID), row, () => random.D6()) ? undefined : INVALID_MOVE,
  },
};

const server = Server({ games: [game], origins: [Origins.LOCALHOST], uuid: () => `m${randomInt(2 ** 47)}` });
const listen = server.app.listen.bind(server.app);
server.app.listen = (port, done) => listen(port, "127.0.0.1", done); // it has no setting for the address
server.run(0).then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}/`));
