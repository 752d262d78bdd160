// The plainest window that answers: it stands in until the real one is built.
const { invoke } = window.__TAURI__.core;
const main = document.getElementById("main");

function draw(view) {
  const ask = view.asks.find((a) => a.id === view.page.ask) ?? view.asks[0];
  main.replaceChildren();
  const title = main.appendChild(document.createElement("h1"));
  if (!ask) {
    title.textContent = view.page.window;
    return;
  }
  const question = ask.questions[0];
  title.textContent = question?.question ?? ask.kind;
  question?.choices.forEach((choice, index) => {
    const button = main.appendChild(document.createElement("button"));
    button.textContent = choice.label;
    button.onclick = () => invoke("answer", { id: ask.id, replies: [{ choices: [index] }] });
  });
}

window.__TAURI__.event.listen("view", (event) => draw(event.payload));
invoke("open_view").then(draw);
